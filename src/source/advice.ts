/** What error messages advise to write, in the words of an ORM. */
export interface Advice {
  /** How to declare a model that a message has described: `Add it to the Prisma schema`. */
  declare(model: 'User' | 'AuditEntry' | 'ApiKey'): string
  /** What keeps the name of a column whose field has another one: `@map("…")`. */
  readonly columnName: string
  /** A default for a key: `@default(uuid())`. */
  readonly keyDefault: string
  /** What isolates transactions, if the source cannot do so as it is. */
  readonly isolation: string
}

/** For sources that advise nothing themselves. */
const general: Advice = {
  declare: () => 'Add it to the models of your source',
  columnName: 'the option of your source for it',
  keyDefault: 'a random UUID',
  isolation: 'Use another database or source',
}

export const adviceOf = ({ advice }: { readonly advice?: Partial<Advice> }): Advice => ({
  ...general,
  ...advice,
})
