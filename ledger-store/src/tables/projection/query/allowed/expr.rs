//! Values, conditions and functions of a query.

use sqlparser::ast::{
    BinaryOperator, CaseWhen, CastKind, CeilFloorKind, DateTimeField, DuplicateTreatment, Expr,
    Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, InTarget,
    UnaryOperator, Value, ValueWithSpan, WindowFrame, WindowFrameBound, WindowSpec, WindowType,
};

use super::names::{is_function, single, type_is_known};
use super::walk::Walk;
use super::{QueryRefused, refuse};

/// How often texts may be joined: each may double what stands in memory.
const JOINS_OF_TEXT: usize = 8;

impl Walk {
    pub(super) fn exprs(&mut self, exprs: &[Expr]) -> Result<(), QueryRefused> {
        exprs.iter().try_for_each(|expr| self.expr(expr))
    }

    pub(super) fn expr(&mut self, mut expr: &Expr) -> Result<(), QueryRefused> {
        // A long chain of operators leans to the left: it is walked down without the stack.
        while let Expr::BinaryOp { left, op, right } = expr {
            self.operator(op)?;
            self.expr(right)?;
            expr = left;
        }
        match expr {
            Expr::Identifier(name) => self.reads(name),
            Expr::CompoundIdentifier(names) => match &names[..] {
                [table, column] => {
                    self.reads(table)?;
                    self.reads(column)
                }
                _ => refuse("a column is named by its table at most, without a schema before it"),
            },
            Expr::Value(value) => literal(value),
            Expr::Nested(inner)
            | Expr::IsNull(inner)
            | Expr::IsNotNull(inner)
            | Expr::IsTrue(inner)
            | Expr::IsNotTrue(inner)
            | Expr::IsFalse(inner)
            | Expr::IsNotFalse(inner) => self.expr(inner),
            Expr::IsDistinctFrom(one, other) | Expr::IsNotDistinctFrom(one, other) => {
                self.expr(one)?;
                self.expr(other)
            }
            Expr::UnaryOp {
                op: UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Not,
                expr,
            } => self.expr(expr),
            Expr::In { expr, target, negated: _, global: false } => {
                self.expr(expr)?;
                match target {
                    InTarget::List(values) => self.exprs(values),
                    InTarget::Subquery(query) => self.query(query),
                    _ => refuse("IN is followed by a list or a query in parentheses"),
                }
            }
            Expr::Between { expr, negated: _, low, high } => {
                [expr, low, high].into_iter().try_for_each(|expr| self.expr(expr))
            }
            Expr::Like { negated: _, any: false, expr, pattern, escape_char: None }
            | Expr::ILike { negated: _, any: false, expr, pattern, escape_char: None } => {
                self.expr(expr)?;
                self.expr(pattern)
            }
            Expr::Cast {
                kind: CastKind::Cast | CastKind::DoubleColon,
                expr,
                data_type,
                format,
            } => {
                if format.is_some() {
                    return refuse("CAST names a type");
                }
                type_is_known(data_type)?;
                self.expr(expr)
            }
            Expr::Ceil { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) }
            | Expr::Floor {
                expr,
                field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime),
            } => self.expr(expr),
            Expr::Substring { expr, substring_from, substring_for, special: _, shorthand: _ } => {
                self.expr(expr)?;
                let bounds = [substring_from, substring_for];
                bounds.into_iter().flatten().try_for_each(|bound| self.expr(bound))
            }
            Expr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
                for CaseWhen { condition, result } in conditions {
                    self.expr(condition)?;
                    self.expr(result)?;
                }
                [operand, else_result].into_iter().flatten().try_for_each(|expr| self.expr(expr))
            }
            Expr::Exists { subquery, negated: _ } | Expr::Subquery(subquery) => {
                self.query(subquery)
            }
            Expr::Tuple(values) => self.exprs(values),
            Expr::Function(function) => self.function(function),
            other => refuse(format!("{other} is not understood here")),
        }
    }

    fn operator(&mut self, op: &BinaryOperator) -> Result<(), QueryRefused> {
        use BinaryOperator::{
            And, Divide, Eq, Gt, GtEq, Lt, LtEq, Minus, Modulo, Multiply, NotEq, Or, Plus,
            StringConcat,
        };
        match op {
            And | Or | Eq | NotEq | Gt | GtEq | Lt | LtEq => Ok(()),
            Plus | Minus | Multiply | Divide | Modulo => Ok(()),
            StringConcat => {
                self.joins_of_text += 1;
                if self.joins_of_text > JOINS_OF_TEXT {
                    return refuse(format!("|| stands at most {JOINS_OF_TEXT} times in a query"));
                }
                Ok(())
            }
            other => refuse(format!("{other} is no operator that is understood here")),
        }
    }

    fn function(&mut self, function: &Function) -> Result<(), QueryRefused> {
        let Function {
            name,
            uses_odbc_syntax: false,
            parameters: FunctionArguments::None,
            args:
                FunctionArguments::List(FunctionArgumentList { duplicate_treatment, args, clauses }),
            within_group,
            filter,
            null_treatment: None,
            over,
        } = function
        else {
            return refuse(format!("{} is not asked for so", function.name));
        };
        let ident = single(name, "a function")?;
        let known = ident.quote_style.is_none() && is_function(&ident.value.to_ascii_lowercase());
        if !known {
            return refuse(format!("{ident} is no function that may be asked for here"));
        }
        let plain = clauses.is_empty() && within_group.is_empty();
        let once = matches!(duplicate_treatment, None | Some(DuplicateTreatment::Distinct));
        if !plain || !once {
            return refuse(format!("{ident} takes values, and DISTINCT at most"));
        }
        for arg in args {
            match arg {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => self.expr(expr)?,
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => {}
                _ => return refuse(format!("{ident} takes values, and DISTINCT at most")),
            }
        }
        filter.iter().try_for_each(|filter| self.expr(filter))?;
        match over {
            None => Ok(()),
            Some(WindowType::WindowSpec(spec)) => self.window(spec),
            Some(WindowType::NamedWindow(_)) => refuse("a window stands where it is used"),
        }
    }

    fn window(&mut self, window: &WindowSpec) -> Result<(), QueryRefused> {
        let WindowSpec { window_name: None, partition_by, order_by, window_frame } = window else {
            return refuse("a window stands where it is used");
        };
        self.exprs(partition_by)?;
        self.order(order_by)?;
        let Some(WindowFrame { units: _, start_bound, end_bound }) = window_frame else {
            return Ok(());
        };
        for bound in [Some(start_bound), end_bound.as_ref()].into_iter().flatten() {
            match bound {
                WindowFrameBound::CurrentRow => {}
                WindowFrameBound::Preceding(rows) | WindowFrameBound::Following(rows) => {
                    rows.iter().try_for_each(|rows| self.expr(rows))?;
                }
            }
        }
        Ok(())
    }
}

/// Numbers and texts in plain quotation marks, which both databases read alike.
fn literal(value: &ValueWithSpan) -> Result<(), QueryRefused> {
    match &value.value {
        Value::Number(_, false) | Value::Boolean(_) | Value::Null => Ok(()),
        Value::SingleQuotedString(text) if !text.contains(['\\', '\0']) => Ok(()),
        Value::SingleQuotedString(_) => refuse("a text has no backslash in it"),
        other => refuse(format!("{other} is not understood here")),
    }
}
