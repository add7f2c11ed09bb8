/** A statement that stores a value which its field cannot have. */
export interface Spoil {
  readonly statement: string
  readonly field: string
}

const tables: Readonly<Record<string, string>> = { Reply: 'replies', Author: 'authors' }

/** What the suite of sources does to the database of the library, by SQL. */
export const bySql = (execute: (sql: string) => unknown) => ({
  breakValue:
    ({ statement, field }: Spoil) =>
    async () => {
      await execute(statement)
      return field
    },
  drop: (model: string, field?: string) =>
    execute(
      field === undefined
        ? `drop table ${tables[model]}`
        : `alter table ${tables[model]} drop column ${field}`,
    ),
})
