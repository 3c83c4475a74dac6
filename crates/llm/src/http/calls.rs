//! The bridge to futures that any executor can poll: a thread with a small runtime of its own for
//! each call, a bounded number of them, and a way to give calls up.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::thread;

use futures_channel::oneshot::{self, Receiver, Sender};
use tokio::runtime;

/// The calls of one client.
pub(crate) struct Calls<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    state: Mutex<State<T>>,
}

struct State<T> {
    closed: bool,
    /// Threads at work, those that nobody waits for included.
    running: usize,
    next: u64,
    waiting: BTreeMap<u64, Waiting<T>>,
}

/// Somebody who waits. When this is dropped the call learns that it was given up.
struct Waiting<T> {
    answer: Sender<T>,
    _wanted: Sender<()>,
}

/// Why a call does not begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The client was closed.
    Closed,
    /// As many calls as may run are running, or the system has no thread left.
    Full,
}

impl<T: Send + 'static> Calls<T> {
    pub(crate) fn new() -> Self {
        let state = State {
            closed: false,
            running: 0,
            next: 0,
            waiting: BTreeMap::new(),
        };
        Self {
            shared: Arc::new(Shared {
                state: Mutex::new(state),
            }),
        }
    }

    /// Runs `work` on a thread of its own, unless `limit` are running. It is dropped where it
    /// stands when the call is given up.
    pub(crate) fn start<F: Future<Output = T>>(
        &self,
        limit: usize,
        work: impl FnOnce() -> F + Send + 'static,
    ) -> Result<Pending<T>, Refused> {
        let (sender, answer) = oneshot::channel();
        let (wanted, given_up) = oneshot::channel();
        let id = self.shared.lock().enter(
            limit,
            Waiting {
                answer: sender,
                _wanted: wanted,
            },
        )?;
        let call = Call {
            shared: Arc::clone(&self.shared),
            id,
            ended: false,
        };
        let pending = Pending {
            shared: Arc::clone(&self.shared),
            id,
            answer,
        };
        thread::Builder::new()
            .name("language-model".to_owned())
            .spawn(move || {
                if let Some(Some(answer)) = run(work, given_up) {
                    call.finish(answer);
                }
            })
            // The closure is dropped, and with it the call, which leaves the register.
            .map_err(|_| Refused::Full)?;
        Ok(pending)
    }

    /// Gives all calls up and refuses new ones.
    pub(crate) fn close(&self) {
        let mut state = self.shared.lock();
        state.closed = true;
        let given_up = std::mem::take(&mut state.waiting);
        // Whoever is woken may come back here.
        drop(state);
        drop(given_up);
    }
}

impl<T> State<T> {
    fn enter(&mut self, limit: usize, waiting: Waiting<T>) -> Result<u64, Refused> {
        if self.closed {
            return Err(Refused::Closed);
        }
        if self.running >= limit {
            return Err(Refused::Full);
        }
        self.running += 1;
        self.next += 1;
        self.waiting.insert(self.next, waiting);
        Ok(self.next)
    }
}

/// Runs `work` until it ends or is given up; nothing at all if the system refuses a runtime.
fn run<F: Future>(
    work: impl FnOnce() -> F,
    mut given_up: Receiver<()>,
) -> Option<Option<F::Output>> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
        .ok()?;
    let outcome = runtime.block_on(async move {
        let mut work = pin!(work());
        poll_fn(|context| {
            if Pin::new(&mut given_up).poll(context).is_ready() {
                return Poll::Ready(None);
            }
            work.as_mut().poll(context).map(Some)
        })
        .await
    });
    // A name that is still being resolved is not waited for.
    runtime.shutdown_background();
    Some(outcome)
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Each change of the state is one step, so a panic elsewhere leaves it whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call, as its thread sees it.
struct Call<T> {
    shared: Arc<Shared<T>>,
    id: u64,
    ended: bool,
}

impl<T> Call<T> {
    /// Gives the answer to who waits for it, if anyone still does.
    fn finish(mut self, answer: T) {
        if let Some(waiting) = self.leave() {
            drop(waiting.answer.send(answer));
        }
    }

    /// Leaves the register: before the answer is given, so that its receiver finds room.
    fn leave(&mut self) -> Option<Waiting<T>> {
        let mut state = self.shared.lock();
        if !self.ended {
            self.ended = true;
            state.running -= 1;
        }
        state.waiting.remove(&self.id)
    }
}

/// A thread that panics leaves the register too, and whoever waits hears that nothing will come.
impl<T> Drop for Call<T> {
    fn drop(&mut self) {
        drop(self.leave());
    }
}

/// A call, as the one who waits sees it. Dropping it gives the call up.
pub(crate) struct Pending<T> {
    shared: Arc<Shared<T>>,
    id: u64,
    answer: Receiver<T>,
}

impl<T> Future for Pending<T> {
    /// Nothing if the call was given up.
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.answer).poll(context).map(Result::ok)
    }
}

impl<T> Drop for Pending<T> {
    fn drop(&mut self) {
        let given_up = self.shared.lock().waiting.remove(&self.id);
        drop(given_up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_executor::block_on;
    use std::future::{pending, ready};
    use std::time::{Duration, Instant};

    fn until(mut done: impl FnMut() -> bool) {
        let began = Instant::now();
        while !done() {
            assert!(began.elapsed() < Duration::from_secs(5), "waited too long");
            thread::yield_now();
        }
    }

    #[test]
    fn calls_answer_and_are_bounded() {
        let calls = Calls::new();
        let (go, wait) = oneshot::channel::<()>();
        let first = calls
            .start(1, || async { wait.await.is_ok() })
            .expect("room");
        assert_eq!(calls.start(1, || ready(true)).err(), Some(Refused::Full));
        go.send(()).expect("the call waits");
        assert_eq!(block_on(first), Some(true));
        // Who has an answer finds room at once.
        for _ in 0..100 {
            let next = calls.start(1, || ready(true)).expect("room");
            assert_eq!(block_on(next), Some(true));
        }
    }

    #[test]
    fn who_gives_up_ends_the_work() {
        let calls: Calls<()> = Calls::new();
        let (kept, mut dropped) = oneshot::channel::<()>();
        let call = calls
            .start(1, || async move {
                let _kept = kept;
                pending::<()>().await;
            })
            .expect("room");
        drop(call);
        until(|| dropped.try_recv().is_err());
        until(|| calls.shared.lock().running == 0);
    }

    #[test]
    fn closing_ends_all_calls_and_refuses_more() {
        let calls: Calls<()> = Calls::new();
        let call = calls.start(1, pending).expect("room");
        calls.close();
        assert_eq!(block_on(call), None);
        assert_eq!(calls.start(9, pending).err(), Some(Refused::Closed));
        until(|| calls.shared.lock().running == 0);
    }

    #[test]
    fn a_panic_is_an_answer_that_never_comes() {
        let calls: Calls<()> = Calls::new();
        let call = calls
            .start(1, || async { panic!("on purpose") })
            .expect("room");
        assert_eq!(block_on(call), None);
        until(|| calls.shared.lock().running == 0);
    }
}
