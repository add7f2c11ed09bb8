/** What the catalog of a database says about its tables, without judgement. */
export interface Catalog {
  readonly tables: readonly CatalogTable[]
  /** The version that the server reports. Empty: SQLite. */
  readonly version: string
}

/** A table or view. Names of columns are those of the database. */
export interface CatalogTable {
  /** Its schema in PostgreSQL. Absent: the database has none, or only this one is read. */
  readonly schema?: string
  readonly name: string
  readonly isView: boolean
  readonly comment?: string
  readonly columns: readonly CatalogColumn[]
  /** In key order. Empty: it has none. */
  readonly primaryKey: readonly string[]
  /** Indexes on plain columns that have all records, without the primary key. */
  readonly indexes: readonly CatalogIndex[]
  readonly foreignKeys: readonly CatalogForeignKey[]
  readonly checks: readonly CatalogCheck[]
  /** Why the connection cannot read it. Absent: it can. */
  readonly unreadable?: string
}

export interface CatalogColumn {
  readonly name: string
  /** As in DDL: `character varying(100)`, `int unsigned`. The base type of a domain. Empty: SQLite does not know one. */
  readonly type: string
  readonly nullable: boolean
  /** The labels of a named enum of PostgreSQL. */
  readonly values?: readonly string[]
  /** Its default as an expression of the database. */
  readonly default?: string
  /** The database counts up. `always`: it refuses other values. */
  readonly identity?: 'always' | 'by default'
  /** The database computes it. */
  readonly isGenerated: boolean
  /** The collation that is declared for it, if it is not that of the database. */
  readonly collation?: string
  readonly comment?: string
}

export interface CatalogIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly isUnique: boolean
}

export interface CatalogForeignKey {
  /** Absent: the database does not name it. */
  readonly name?: string
  readonly columns: readonly string[]
  /** The schema of the referenced table. Absent: that of this table. */
  readonly schema?: string
  readonly table: string
  readonly references: readonly string[]
  readonly onDelete: 'cascade' | 'set null' | 'set default' | 'restrict' | 'no action'
}

export interface CatalogCheck {
  /** Absent: the database does not name it. */
  readonly name?: string
  readonly expression: string
}

/** Runs a statement without parameters. @returns rows: arrays, or objects whose properties have the order of the columns */
export type CatalogQuery = (text: string) => PromiseLike<readonly unknown[]> | readonly unknown[]

export interface CatalogOptions {
  /**
   * The schemas of PostgreSQL, or the databases of MySQL, that are read.
   *
   * @default those in the search path of the connection, or its database
   */
  readonly schemas?: readonly string[]
}

/** Reads the catalog of a database of one dialect. */
export type ReadCatalog = (query: CatalogQuery, options: CatalogOptions) => Promise<Catalog>
