//! Stores, and what is done with them.

use weldment::Type;
use weldment::backend::abi::Cause;
use weldment::backend::imp::{Action, Combine, FuncId, Imp, Store, StoreId, Strategy};
use weldment::backend::ir::{Entity, Loc, ReduceOp, Value};

use super::op::vector;
use super::types::{leaves, literal};
use super::{Code, Printer, name_of};

/// What a store is in C.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Boxed,
    /// One element for each iteration, or several.
    Exact {
        each: u32,
    },
    Growing,
    Scatter,
}

impl Kind {
    pub(super) fn of(store: &Store) -> Kind {
        match store.strategy {
            Strategy::Boxed => Kind::Boxed,
            Strategy::Exact { each } => Kind::Exact { each },
            Strategy::Columns { .. } => Kind::Exact { each: 1 },
            Strategy::Ordered | Strategy::Grow | Strategy::Ragged => Kind::Growing,
            Strategy::InPlace | Strategy::Partial => Kind::Scatter,
            _ => unreachable!("tables are refused"),
        }
    }
}

/// The name of a store.
pub(super) fn name(store: StoreId) -> String {
    format!("st{}", store.index())
}

/// The struct of a box.
pub(super) fn box_of(ty: &str) -> String {
    format!("struct {{ u8 some; {ty} value; }}")
}

impl Printer<'_> {
    pub(super) fn item(&mut self, store: StoreId) -> String {
        let imp: &Imp = self.imp;
        self.names.name(&imp.stores[store].item)
    }

    /// What a function takes of a store that it is handed.
    pub(super) fn store_params(&mut self, store: StoreId) -> Vec<String> {
        let (ty, name) = (self.item(store), name(store));
        match Kind::of(&self.imp.stores[store]) {
            Kind::Boxed => vec![format!("u8 *{name}_some"), format!("{ty} *{name}_value")],
            Kind::Exact { each: 1 } => vec![format!("{ty} *{name}")],
            Kind::Exact { .. } => vec![format!("{ty} *{name}"), format!("i64 *{name}_next")],
            Kind::Growing => vec![format!("growing *{name}")],
            Kind::Scatter => vec![format!("{ty} *{name}"), format!("i64 {name}_len")],
        }
    }
}

impl Code<'_, '_> {
    /// The arguments for those; positions of one of exact length begin at `from`.
    pub(super) fn store_args(&mut self, store: StoreId, from: Option<String>) -> Vec<String> {
        let name = name(store);
        match (Kind::of(&self.p.imp.stores[store]), from) {
            (Kind::Boxed, _) => vec![format!("{name}_some"), format!("{name}_value")],
            (Kind::Exact { each: 1 }, Some(from)) => vec![format!("{name} + {from}")],
            (Kind::Exact { each: 1 } | Kind::Growing, _) => vec![name],
            (Kind::Exact { .. }, _) => vec![name.clone(), format!("{name}_next")],
            (Kind::Scatter, _) => vec![name.clone(), format!("{name}_len")],
        }
    }

    pub(super) fn action(
        &mut self,
        results: &[Value],
        id: StoreId,
        action: Action,
        args: &[Value],
        loc: Loc,
    ) {
        let imp = self.p.imp;
        let (store, name, ty) = (&imp.stores[id], name(id), self.p.item(id));
        let args: Vec<String> = args.iter().map(|&arg| self.p.value(arg)).collect();
        match (action, Kind::of(store)) {
            (Action::Open, kind) => self.open_store(id, kind, &args),
            (Action::Begin, Kind::Boxed) => self.line(format!("*{name}_some = 0;")),
            (Action::Begin, Kind::Scatter) if store.strategy == Strategy::Partial => {
                self.partial(id, &format!("{name}_part"));
                self.line(format!("{name} = {name}_part;"));
            }
            (Action::Put, _) => self.line(format!("{name}[{}] = {};", args[0], args[1])),
            (Action::Append, Kind::Exact { .. }) => {
                self.line(format!("{name}[(*{name}_next)++] = {};", args[0]));
            }
            (Action::Append, _) => self.append(&name, &ty, &args[0]),
            (Action::Merge, Kind::Boxed) => {
                self.merge_box(id, &format!("*{name}_some"), &format!("*{name}_value"), &args[0]);
            }
            (Action::Merge, _) => {
                let bad = format!("(u64){} >= (u64){name}_len", args[0]);
                self.fault_if(&bad, Cause::Index, &[&args[0], &format!("{name}_len")], loc);
                self.combine_at(store, &format!("{name}[{}]", args[0]), &args[1]);
            }
            (Action::Join, Kind::Boxed) => {
                self.open(format!("if (*{name}_some) {{"));
                let joined = [format!("*{name}_joined_some"), format!("*{name}_joined_value")];
                self.merge_box(id, &joined[0], &joined[1], &format!("*{name}_value"));
                self.close("}");
            }
            (Action::Join, Kind::Scatter) if store.strategy == Strategy::Partial => {
                self.add_partial(store, &format!("{name}_whole"), &name, &format!("{name}_len"));
                self.line(format!("{name} = {name}_whole;"));
            }
            (Action::Finish, kind) => self.finish_store(id, kind, results[0], loc),
            // Hints, and parts that are what they are parts of.
            (Action::Begin | Action::Join | Action::Expect | Action::Reserve, _) => {}
            (action, _) => unreachable!("{action:?} is for tables or for another target"),
        }
    }

    fn open_store(&mut self, id: StoreId, kind: Kind, args: &[String]) {
        let (name, ty) = (name(id), self.p.item(id));
        match kind {
            Kind::Boxed => {
                self.line(format!("{} {name}_own = {{ 0 }}, {name}_part = {{ 0 }};", box_of(&ty)));
                if let [init] = args {
                    self.line(format!("{name}_own.some = 1; {name}_own.value = {init};"));
                }
                for (names, of) in [("joined_", "own"), ("", "part")] {
                    self.line(format!(
                        "u8 *{name}_{names}some = &{name}_{of}.some; (void){name}_{names}some;"
                    ));
                    self.line(format!(
                        "{ty} *{name}_{names}value = &{name}_{of}.value; (void){name}_{names}value;"
                    ));
                }
            }
            Kind::Exact { each } => {
                let len = format!("{name}_len");
                let product = |count: &str, each: &str| {
                    format!("{count} > INT64_MAX / {each} ? INT64_MAX : (i64)({count} * {each})")
                };
                let elements = match args {
                    [rows, columns] => format!("{columns} == 0 ? 0 : {}", product(rows, columns)),
                    _ => product(&args[0], &each.to_string()),
                };
                self.line(format!("i64 {len} = {elements};"));
                self.allocate(&name, &ty, &len);
                if each > 1 {
                    self.line(format!("i64 {name}_at = 0, *{name}_next = &{name}_at; (void){name}_next;"));
                }
            }
            Kind::Growing => {
                self.line(format!("growing {name}_own = {{ 0 }}, *{name} = &{name}_own; (void){name};"));
            }
            Kind::Scatter => {
                let init = &args[0];
                self.line(format!("i64 {name}_len = {init}.len;"));
                self.allocate(&format!("{name}_whole"), &ty, &format!("{name}_len"));
                self.line(format!("memcpy({name}_whole, {init}.elements, (u64){name}_len * sizeof({ty}));"));
                self.line(format!("{ty} *{name} = {name}_whole;"));
            }
        }
    }

    fn finish_store(&mut self, id: StoreId, kind: Kind, result: Value, loc: Loc) {
        let (name, ty) = (name(id), self.p.ty(result));
        let given = match kind {
            Kind::Boxed => {
                self.fault_if(&format!("!*{name}_joined_some"), Cause::Empty, &[], loc);
                format!("*{name}_joined_value")
            }
            Kind::Exact { .. } => vector(&name, &format!("{name}_len")),
            Kind::Growing => {
                vector(&format!("{name}->elements ? {name}->elements : NOWHERE"), &format!("{name}->len"))
            }
            Kind::Scatter => vector(&format!("{name}_whole"), &format!("{name}_len")),
        };
        self.line(format!("{ty} {result} = {given};"));
        self.line(format!("(void){result};"));
    }

    fn append(&mut self, name: &str, ty: &str, value: &str) {
        let regrow = self.p.runtime("weldment_regrow");
        self.open(format!("if ({name}->len == {name}->room) {{"));
        self.line(format!("i64 room = {name}->room < 8 ? 16 : 2 * {name}->room;"));
        self.line(format!(
            "void *more = {regrow}(frame, {name}->elements, {name}->len * sizeof({ty}), room * sizeof({ty}), _Alignof({ty}));"
        ));
        self.line("if (!more) return 1;");
        self.line(format!("{name}->elements = more; {name}->room = room;"));
        self.close("}");
        self.line(format!("(({ty} *){name}->elements)[{name}->len++] = {value};"));
    }

    /// Merges `value` into a box.
    pub(super) fn merge_box(&mut self, id: StoreId, some: &str, place: &str, value: &str) {
        let Combine::Func(func) = self.p.imp.stores[id].combine else { unreachable!("a box has a function") };
        self.open(format!("if ({some}) {{"));
        self.apply(func, place, value);
        self.depth -= 1;
        self.open("} else {");
        self.line(format!("{some} = 1; {place} = {value};"));
        self.close("}");
    }

    /// `place` becomes what the function gives on it and `value`.
    fn apply(&mut self, func: FuncId, place: &str, value: &str) {
        self.p.func(func);
        let mut args = self.p.captured(func);
        args.extend([place.to_owned(), value.to_owned(), format!("&({place})")]);
        self.call(&name_of(func), &args);
    }

    /// A block named `to` as long as the whole, none of whose elements is touched.
    pub(super) fn partial(&mut self, id: StoreId, to: &str) {
        let imp = self.p.imp;
        let (store, name, ty) = (&imp.stores[id], name(id), self.p.item(id));
        let op = operator(store);
        self.allocate(to, &ty, &format!("{name}_len"));
        self.open(format!("for (i64 i = 0; i < {name}_len; i++) {{"));
        for (scalar, place) in of_scalars(&store.item, &format!("{to}[i]")) {
            self.line(format!("{place} = {};", literal(op.neutral(scalar))));
        }
        self.close("}");
    }

    /// Combines a part with the whole, element by element.
    pub(super) fn add_partial(&mut self, store: &Store, whole: &str, part: &str, len: &str) {
        self.open(format!("for (i64 i = 0; i < {len}; i++) {{"));
        self.combine_at(store, &format!("{whole}[i]"), &format!("{part}[i]"));
        self.close("}");
    }

    fn combine_at(&mut self, store: &Store, place: &str, value: &str) {
        let op = operator(store);
        let (to, from) = (of_scalars(&store.item, place), of_scalars(&store.item, value));
        for ((scalar, place), (_, value)) in to.into_iter().zip(from) {
            let after = self.binary(op.binary(), scalar, &place, &value);
            self.line(format!("{place} = {after};"));
        }
    }
}

fn operator(store: &Store) -> ReduceOp {
    let Combine::Op(op) = store.combine else { unreachable!("merges by index are by operators") };
    op
}

fn of_scalars(ty: &Type, expression: &str) -> Vec<(weldment::Scalar, String)> {
    leaves(ty, expression).expect("operators are of scalars")
}
