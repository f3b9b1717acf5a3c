//! The tree of a query, part by part. Every struct is taken apart whole: a field that a later
//! parser adds must fail to compile here, and what is not named is refused.

use std::collections::HashSet;

use sqlparser::ast::{
    Cte, Distinct, GroupByExpr, Join, JoinConstraint, JoinOperator, LimitClause, Offset, OrderBy,
    OrderByExpr, OrderByKind, OrderByOptions, OrderBySort, Parens, Query, Select, SelectFlavor,
    SelectItem, SelectItemQualifiedWildcardKind, SetExpr, SetQuantifier, TableAlias,
    TableAliasColumnDef, TableFactor, TableWithJoins, Values, WildcardAdditionalOptions, With,
};

use super::names::{fold_name, is_column, is_table, of_table, readable_tables, single};
use super::{QueryRefused, refuse};

/// A walk through a query, and what it has met.
#[derive(Default)]
pub(super) struct Walk {
    /// Names of `WITH` that may be read where the walk is.
    scope: Vec<String>,
    /// Names that the query itself gives, to columns and tables.
    given: HashSet<String>,
    /// Names that it reads by.
    read: Vec<String>,
    /// How often it joins texts.
    pub(super) joins_of_text: usize,
}

impl Walk {
    /// Holds all of a query against what is allowed.
    pub(super) fn whole(mut self, query: &Query) -> Result<(), QueryRefused> {
        self.query(query)?;
        let known = |name: &str| is_column(name) || is_table(name) || self.given.contains(name);
        match self.read.iter().find(|name| !known(name)) {
            None => Ok(()),
            Some(name) => refuse(format!("{name} is no column of the tables that may be read")),
        }
    }

    pub(super) fn reads(&mut self, ident: &sqlparser::ast::Ident) -> Result<(), QueryRefused> {
        self.read.push(fold_name(ident)?);
        Ok(())
    }

    fn gives(&mut self, ident: &sqlparser::ast::Ident) -> Result<(), QueryRefused> {
        self.given.insert(fold_name(ident)?);
        Ok(())
    }

    pub(super) fn query(&mut self, query: &Query) -> Result<(), QueryRefused> {
        let Query {
            with,
            body,
            order_by,
            limit_clause,
            fetch: None,
            locks,
            for_clause: None,
            settings: None,
            format_clause: None,
            pipe_operators,
        } = query
        else {
            return refuse("a query ends with ORDER BY, LIMIT and OFFSET, and nothing else");
        };
        if !locks.is_empty() || !pipe_operators.is_empty() {
            return refuse("a query locks nothing");
        }
        let outer = self.scope.len();
        if let Some(with) = with {
            self.with(with)?;
        }
        self.body(body)?;
        if let Some(OrderBy { kind, interpolate }) = order_by {
            let (OrderByKind::Expressions(order), None) = (kind, interpolate) else {
                return refuse("ORDER BY names columns");
            };
            self.order(order)?;
        }
        if let Some(limit) = limit_clause {
            self.limit(limit)?;
        }
        self.scope.truncate(outer);
        Ok(())
    }

    /// Each name of `WITH` may be read after it, and never in itself.
    fn with(&mut self, with: &With) -> Result<(), QueryRefused> {
        let With { with_token: _, recursive, cte_tables } = with;
        if *recursive {
            return refuse("a query that reads itself (RECURSIVE) may never end, and is not asked");
        }
        for cte in cte_tables {
            let Cte { alias, query, from: None, materialized: None, closing_paren_token: _ } = cte
            else {
                return refuse("WITH gives queries names, and says nothing else of them");
            };
            self.query(query)?;
            let name = of_table(&alias.name)?;
            if is_table(&name) {
                return refuse(format!("{name} is a table already: give the query another name"));
            }
            self.alias(alias)?;
            self.scope.push(name);
        }
        Ok(())
    }

    fn body(&mut self, body: &SetExpr) -> Result<(), QueryRefused> {
        match body {
            SetExpr::Select(select) => self.select(select),
            SetExpr::Query(query) => self.query(query),
            SetExpr::Values(Values { explicit_row: false, value_keyword: false, rows }) => {
                rows.iter().try_for_each(|Parens { content, .. }| self.exprs(content))
            }
            SetExpr::SetOperation { left, op: _, set_quantifier, right } => {
                use SetQuantifier::{All, Distinct, None};
                if !matches!(set_quantifier, All | Distinct | None) {
                    return refuse("UNION goes by the places of columns");
                }
                self.body(left)?;
                self.body(right)
            }
            _ => refuse("only queries are asked: SELECT, WITH or VALUES"),
        }
    }

    fn select(&mut self, select: &Select) -> Result<(), QueryRefused> {
        let Select {
            select_token: _,
            optimizer_hints,
            distinct,
            select_modifiers: None,
            top: None,
            top_before_distinct: false,
            projection,
            exclude: None,
            into: None,
            from,
            lateral_views,
            prewhere: None,
            selection,
            connect_by,
            group_by: GroupByExpr::Expressions(group_by, modifiers),
            cluster_by,
            distribute_by,
            sort_by,
            having,
            named_window,
            qualify: None,
            window_before_qualify: false,
            value_table_mode: None,
            flavor: SelectFlavor::Standard,
        } = select
        else {
            return refuse("SELECT has FROM, WHERE, GROUP BY and HAVING, and nothing else");
        };
        let bare = optimizer_hints.is_empty()
            && lateral_views.is_empty()
            && connect_by.is_empty()
            && modifiers.is_empty()
            && cluster_by.is_empty()
            && distribute_by.is_empty()
            && sort_by.is_empty()
            && named_window.is_empty();
        if !bare {
            return refuse("SELECT has FROM, WHERE, GROUP BY and HAVING, and nothing else");
        }
        if projection.is_empty() {
            return refuse("SELECT names what it shows");
        }
        match distinct {
            None | Some(Distinct::All | Distinct::Distinct) => {}
            Some(Distinct::On(columns)) => self.exprs(columns)?,
        }
        projection.iter().try_for_each(|item| self.item(item))?;
        from.iter().try_for_each(|from| self.from(from))?;
        self.exprs(group_by)?;
        let conditions = selection.iter().chain(having);
        conditions.into_iter().try_for_each(|condition| self.expr(condition))
    }

    fn item(&mut self, item: &SelectItem) -> Result<(), QueryRefused> {
        match item {
            SelectItem::UnnamedExpr(expr) => self.expr(expr),
            SelectItem::ExprWithAlias { expr, alias } => {
                self.gives(alias)?;
                self.expr(expr)
            }
            SelectItem::Wildcard(options) => bare(options),
            SelectItem::QualifiedWildcard(
                SelectItemQualifiedWildcardKind::ObjectName(name),
                options,
            ) => {
                self.reads(single(name, "a table")?)?;
                bare(options)
            }
            _ => refuse("what is selected is columns, each with one name at most"),
        }
    }

    fn from(&mut self, from: &TableWithJoins) -> Result<(), QueryRefused> {
        let TableWithJoins { relation, joins } = from;
        self.table(relation)?;
        for Join { relation, global, join_operator } in joins {
            if *global {
                return refuse("tables are joined by JOIN, LEFT, RIGHT, FULL and CROSS JOIN");
            }
            self.table(relation)?;
            self.join(join_operator)?;
        }
        Ok(())
    }

    fn join(&mut self, join: &JoinOperator) -> Result<(), QueryRefused> {
        use JoinOperator::{CrossJoin, FullOuter, Inner, Join, Left, LeftOuter, Right, RightOuter};
        match join {
            Join(by) | Inner(by) | Left(by) | LeftOuter(by) | Right(by) | RightOuter(by)
            | FullOuter(by) | CrossJoin(by) => match by {
                JoinConstraint::On(condition) => self.expr(condition),
                JoinConstraint::Using(columns) => {
                    columns.iter().try_for_each(|column| self.reads(single(column, "a column")?))
                }
                JoinConstraint::Natural | JoinConstraint::None => Ok(()),
                JoinConstraint::UsingAlias(..) => refuse("USING names columns alone"),
            },
            _ => refuse("tables are joined by JOIN, LEFT, RIGHT, FULL and CROSS JOIN"),
        }
    }

    fn table(&mut self, table: &TableFactor) -> Result<(), QueryRefused> {
        match table {
            TableFactor::Table {
                name,
                alias,
                args: None,
                with_hints,
                version: None,
                with_ordinality: false,
                partitions,
                json_path: None,
                sample: None,
                index_directives,
                inheritance: None,
            } if with_hints.is_empty() && partitions.is_empty() && index_directives.is_empty() => {
                let found = of_table(single(name, "a table")?)?;
                if !is_table(&found) && !self.scope.contains(&found) {
                    let tables: Vec<_> = readable_tables().map(|table| table.name).collect();
                    return refuse(format!(
                        "{found} is no table that may be read here: {}",
                        tables.join(", ")
                    ));
                }
                self.given.insert(found);
                alias.iter().try_for_each(|alias| self.alias(alias))
            }
            TableFactor::Derived { lateral: false, subquery, alias, sample: None } => {
                alias.iter().try_for_each(|alias| self.alias(alias))?;
                self.query(subquery)
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                self.from(table_with_joins)
            }
            _ => refuse("what is read from is tables by their names, and queries"),
        }
    }

    fn alias(&mut self, alias: &TableAlias) -> Result<(), QueryRefused> {
        let TableAlias { explicit: _, name, columns, at: None } = alias else {
            return refuse("a table's other name is one word");
        };
        self.gives(name)?;
        columns.iter().try_for_each(|TableAliasColumnDef { name, data_type }| match data_type {
            None => self.gives(name),
            Some(_) => refuse("a column's other name is one word"),
        })
    }

    pub(super) fn order(&mut self, order: &[OrderByExpr]) -> Result<(), QueryRefused> {
        for OrderByExpr { expr, options, with_fill } in order {
            let OrderByOptions { sort, nulls_first: _ } = options;
            if with_fill.is_some() || matches!(sort, Some(OrderBySort::Using(_))) {
                return refuse("ORDER BY goes up (ASC) or down (DESC)");
            }
            self.expr(expr)?;
        }
        Ok(())
    }

    fn limit(&mut self, limit: &LimitClause) -> Result<(), QueryRefused> {
        match limit {
            LimitClause::LimitOffset { limit, offset, limit_by } if limit_by.is_empty() => {
                limit.iter().try_for_each(|limit| self.expr(limit))?;
                offset.iter().try_for_each(|Offset { value, rows: _ }| self.expr(value))
            }
            _ => refuse("LIMIT and OFFSET are two numbers"),
        }
    }
}

fn bare(options: &WildcardAdditionalOptions) -> Result<(), QueryRefused> {
    let WildcardAdditionalOptions {
        wildcard_token: _,
        opt_ilike: None,
        opt_exclude: None,
        opt_except: None,
        opt_replace: None,
        opt_rename: None,
        opt_alias: None,
    } = options
    else {
        return refuse("* selects every column");
    };
    Ok(())
}
