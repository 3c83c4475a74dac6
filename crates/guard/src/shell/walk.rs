//! Walks a tree-sitter-bash tree into a flat list of simple commands.

use tree_sitter::{Node, Tree};

use super::{
    Assignment, Connector, MAX_DEPTH, Place, Redirect, Script, SimpleCommand, text_of, word,
};

/// Collects the commands of `tree`.
pub(super) fn script(source: &str, tree: &Tree) -> Script {
    let mut walker = Walker {
        source,
        out: Script::default(),
    };
    let root = tree.root_node();
    walker.statements(root, Connector::Start, Place::Top, 0);
    if root.has_error() && walker.out.unparsed.is_empty() {
        walker.out.unparsed.push(source.to_owned());
    }
    walker.out
}

/// Names the place of what stands in a group at `place`.
fn inside(place: Place) -> Place {
    if place == Place::Top {
        Place::Group
    } else {
        place
    }
}

struct Walker<'s> {
    source: &'s str,
    out: Script,
}

impl Walker<'_> {
    fn text(&self, node: Node<'_>) -> String {
        text_of(self.source, node).to_owned()
    }

    /// Walks the statements below `node`, reading the separators between.
    fn statements(&mut self, node: Node<'_>, first: Connector, place: Place, depth: usize) {
        let mut connector = first;
        let mut seen = false;
        let mut last = self.out.commands.len();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "&&" => connector = Connector::And,
                "||" => connector = Connector::Or,
                "|" | "|&" => connector = Connector::Pipe,
                "&" => {
                    connector = Connector::Background;
                    self.out.commands[last..]
                        .iter_mut()
                        .for_each(|c| c.detached = true);
                }
                ";" | ";;" | "\n" if seen => connector = Connector::Sequence,
                _ if child.is_named() => {
                    let before = self.out.commands.len();
                    self.statement(child, connector, place, depth + 1);
                    if self.out.commands.len() > before {
                        seen = true;
                        connector = Connector::Sequence;
                        last = before;
                    }
                }
                _ => {}
            }
        }
    }

    fn statement(&mut self, node: Node<'_>, connector: Connector, place: Place, depth: usize) {
        if depth > MAX_DEPTH {
            self.out.unparsed.push(self.text(node));
            return;
        }
        match node.kind() {
            "comment" => {}
            "ERROR" => {
                self.out.unparsed.push(self.text(node));
                self.statements(node, connector, place, depth);
            }
            "list" => self.list(node, connector, place, depth),
            "pipeline" | "program" => self.statements(node, connector, place, depth),
            "redirected_statement" => self.redirected(node, connector, place, depth),
            "command" => self.command(node, connector, place, depth),
            "variable_assignment"
            | "variable_assignments"
            | "declaration_command"
            | "unset_command" => self.declaration(node, connector, place, depth),
            "test_command" => self.test(node, connector, place, depth),
            "negated_command" => {
                let from = self.out.commands.len();
                self.statements(node, connector, inside(place), depth);
                self.out.commands[from..]
                    .iter_mut()
                    .for_each(|c| c.negated = true);
            }
            "subshell" | "compound_statement" | "do_group" => {
                self.statements(node, connector, inside(place), depth);
            }
            "if_statement"
            | "while_statement"
            | "for_statement"
            | "c_style_for_statement"
            | "case_statement"
            | "function_definition" => {
                if place == Place::Top {
                    self.out.control.push(self.text(node));
                }
                let from = self.out.commands.len();
                self.statements(node, connector, inside(place), depth);
                self.out.commands[from..]
                    .iter_mut()
                    .for_each(|c| c.conditional = true);
            }
            "elif_clause" | "else_clause" | "case_item" => {
                self.statements(node, connector, place, depth);
            }
            _ => self.substitutions(node, depth),
        }
    }

    /// Walks an AND-OR list, which the grammar nests to the left: its length
    /// is no depth.
    fn list(&mut self, node: Node<'_>, first: Connector, place: Place, depth: usize) {
        let mut spine = vec![node];
        let mut leftmost = node.named_child(0);
        while let Some(left) = leftmost.filter(|n| n.kind() == "list") {
            spine.push(left);
            leftmost = left.named_child(0);
        }
        if let Some(left) = leftmost {
            self.statement(left, first, place, depth + 1);
        }
        for level in spine.into_iter().rev() {
            let mut connector = Connector::Sequence;
            let mut cursor = level.walk();
            for child in level.children(&mut cursor).skip(1) {
                match child.kind() {
                    "&&" => connector = Connector::And,
                    "||" => connector = Connector::Or,
                    _ if child.is_named() => self.statement(child, connector, place, depth + 1),
                    _ => {}
                }
            }
        }
    }

    /// Walks the commands of every substitution at or below `node`.
    fn substitutions(&mut self, node: Node<'_>, depth: usize) {
        if depth > MAX_DEPTH {
            self.out.unparsed.push(self.text(node));
            return;
        }
        if matches!(node.kind(), "command_substitution" | "process_substitution") {
            self.statements(node, Connector::Start, Place::Substitution, depth + 1);
            return;
        }
        if node.kind() == "ERROR" {
            self.out.unparsed.push(self.text(node));
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.substitutions(child, depth + 1);
        }
    }

    fn command(&mut self, node: Node<'_>, connector: Connector, place: Place, depth: usize) {
        let mut command = SimpleCommand {
            connector,
            place,
            ..SimpleCommand::default()
        };
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "variable_assignment" => self.assignment(child, &mut command, depth),
                "file_redirect" | "herestring_redirect" => {
                    self.redirect(child, &mut command, depth);
                }
                "comment" => {}
                _ => {
                    self.substitutions(child, depth);
                    command.words.push(word::decode(self.source, child));
                }
            }
        }
        self.out.commands.push(command);
    }

    fn declaration(&mut self, node: Node<'_>, connector: Connector, place: Place, depth: usize) {
        let mut command = SimpleCommand {
            connector,
            place,
            ..SimpleCommand::default()
        };
        if node.kind() == "variable_assignment" {
            self.assignment(node, &mut command, depth);
            self.out.commands.push(command);
            return;
        }
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "variable_assignment" => self.assignment(child, &mut command, depth),
                _ => {
                    self.substitutions(child, depth);
                    command.words.push(word::decode(self.source, child));
                }
            }
        }
        self.out.commands.push(command);
    }

    fn test(&mut self, node: Node<'_>, connector: Connector, place: Place, depth: usize) {
        self.substitutions(node, depth);
        let mut command = SimpleCommand {
            connector,
            place,
            ..SimpleCommand::default()
        };
        let literal = self.text(node);
        command.words = ["test", literal.trim()]
            .into_iter()
            .map(|text| super::Word {
                text: text.to_owned(),
                dynamic: false,
                quoted: true,
            })
            .collect();
        self.out.commands.push(command);
    }

    fn assignment(&mut self, node: Node<'_>, command: &mut SimpleCommand, depth: usize) {
        self.substitutions(node, depth);
        let name = node
            .child_by_field_name("name")
            .map(|n| self.text(n))
            .unwrap_or_default();
        let value = node
            .child_by_field_name("value")
            .map(|n| word::decode(self.source, n))
            .unwrap_or_default();
        command.assignments.push(Assignment { name, value });
    }

    /// Gives the redirections of a statement to its last command.
    fn redirected(&mut self, node: Node<'_>, connector: Connector, place: Place, depth: usize) {
        let before = self.out.commands.len();
        if let Some(body) = node.child_by_field_name("body") {
            self.statement(body, connector, place, depth + 1);
        }
        let mut command = if self.out.commands.len() > before {
            self.out.commands.pop().unwrap_or_default()
        } else {
            SimpleCommand {
                connector,
                place,
                ..SimpleCommand::default()
            }
        };
        let mut tails = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "file_redirect" | "herestring_redirect" => {
                    self.redirect(child, &mut command, depth);
                }
                "heredoc_redirect" => tails.extend(self.heredoc(child, &mut command, depth)),
                _ => {}
            }
        }
        self.out.commands.push(command);
        for (tail, connector) in tails {
            self.statement(tail, connector, place, depth + 1);
        }
    }

    fn redirect(&mut self, node: Node<'_>, command: &mut SimpleCommand, depth: usize) {
        self.substitutions(node, depth);
        let descriptor = node.child_by_field_name("descriptor").map(|n| self.text(n));
        let mut operator = String::new();
        let mut targets = Vec::new();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            if child.is_named() {
                if child.kind() != "file_descriptor" {
                    targets.push(word::decode(self.source, child));
                }
            } else if operator.is_empty() {
                operator = self.text(child);
            }
        }
        // The grammar lets words after the target fall under the redirection.
        let mut targets = targets.into_iter();
        let target = targets.next().unwrap_or_default();
        command.redirects.push(Redirect {
            descriptor,
            operator,
            target,
        });
        command.words.extend(targets);
    }

    /// Reads a here-document; returns what follows its opening on that line.
    fn heredoc<'t>(
        &mut self,
        node: Node<'t>,
        command: &mut SimpleCommand,
        depth: usize,
    ) -> Vec<(Node<'t>, Connector)> {
        let mut body = super::Word {
            quoted: true,
            ..super::Word::default()
        };
        let mut tails = Vec::new();
        let mut connector = Connector::Sequence;
        let mut operator = "<<".to_owned();
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "<<" | "<<-" => operator = self.text(child),
                "&&" => connector = Connector::And,
                "||" => connector = Connector::Or,
                "|" | "|&" => connector = Connector::Pipe,
                "heredoc_body" => {
                    self.substitutions(child, depth);
                    body.text = self.text(child);
                    body.dynamic = child.named_children(&mut child.walk()).any(|n| {
                        matches!(
                            n.kind(),
                            "simple_expansion" | "expansion" | "command_substitution"
                        )
                    });
                }
                "file_redirect" | "herestring_redirect" => self.redirect(child, command, depth),
                "pipeline" => tails.push((child, Connector::Pipe)),
                "heredoc_start" | "heredoc_end" | "file_descriptor" => {}
                "word" | "string" | "raw_string" | "concatenation" => {
                    command.words.push(word::decode(self.source, child));
                }
                _ if child.is_named() => tails.push((child, connector)),
                _ => {}
            }
        }
        command.redirects.push(Redirect {
            descriptor: None,
            operator,
            target: body,
        });
        tails
    }
}
