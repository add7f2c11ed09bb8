/**
 * The canonical library, declared once for each dialect: every field kind, key and relation.
 *
 * | | sqlite | pg | mysql |
 * |---|---|---|---|
 * | Book.id, Review.bookId | text | uuid | text |
 * | Book.publishedOn | text (no date type) | date | date |
 * | Book.soldAt | not there (no local date-time type) | localdatetime | localdatetime |
 * | Book.opensAt | text (no time type) | time | time |
 * | Book.tags | json | array of text | json |
 * | Book.loanPeriod | text | token | text |
 *
 * All else is the same, but for what a dialect's types allow (bounds of integers, lengths of text). The values of these
 * fields can be the same in all three: `'2026-01-31'`, `'09:30:00'`, `['a']`, `'14 days'`.
 */
export { createMysql, tables as mysqlLibrary } from './library/mysql.ts'
export { createPg, tables as pgLibrary } from './library/pg.ts'
export { createSqlite, tables as sqliteLibrary } from './library/sqlite.ts'
