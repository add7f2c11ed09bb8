/** What a source tells of a model, field or relation at startup. */
export interface Note {
  /** `Product.tags` */
  readonly place: string
  readonly becomes: 'left out' | 'read-only'
  /** The reason and the way out, which may concern several places: `formulas are not columns`. */
  readonly why: string
}

/** One line for all places with the same reason. */
export const linesOf = (notes: readonly Note[]): readonly string[] =>
  [...Map.groupBy(notes, ({ becomes, why }) => `${becomes}: ${why}.`)].map(([end, same]) => {
    const places = same.map(({ place }) => place)
    return `${places.join(', ')} ${places.length === 1 ? 'is' : 'are'} ${end}`
  })
