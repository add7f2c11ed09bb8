import type { ReviewValues, Together } from './acts.ts'
import { Refused, type Writing } from './world.ts'

export const repeatedOf = (keys: readonly (readonly [string, number | undefined])[]): readonly string[] =>
  keys
    .filter(([, key], at) => key !== undefined && keys.findIndex(([, other]) => other === key) < at)
    .map(([path]) => `${path} repeated`)

const elementsOf = (
  { reviews = [] }: Together,
  path = '/reviews',
): readonly (readonly [
  path: string,
  verb: 'create' | 'update' | 'delete',
  id: number | undefined,
  stars: number,
])[] => {
  if (Array.isArray(reviews))
    return (reviews as readonly ReviewValues[]).map(({ id, stars }, at) => [
      `${path}/${at}`,
      id === undefined ? 'create' : 'update',
      id,
      stars,
    ])
  const {
    create = [],
    update = [],
    delete: deleted = [],
  } = reviews as Exclude<Together['reviews'], readonly ReviewValues[]> & object
  return [
    ...create.map(({ stars }, at) => [`${path}/create/${at}`, 'create', undefined, stars] as const),
    ...update.map(({ id, stars }, at) => [`${path}/update/${at}`, 'update', id, stars] as const),
    ...deleted.map((id, at) => [`${path}/delete/${at}`, 'delete', id, 0] as const),
  ]
}

export const togetherMistakes = (
  writing: Writing,
  book: number | undefined,
  body: Together,
): readonly string[] => {
  const elements = elementsOf(body)
  const missing = elements.flatMap(([path, verb, id]) =>
    id === undefined || writing.reviews.get(id)?.book_id === book
      ? []
      : [`${path}${verb === 'update' ? '/id' : ''} missing_reference`],
  )
  return [
    ...repeatedOf(elements.map(([path, , id]) => [path, id])),
    ...missing,
    ...repeatedOf((body.tags ?? []).map((tag, at) => [`/tags/${at}`, tag])),
  ]
}

export const writeTogether = (writing: Writing, book: number, body: Together): void => {
  const elements = elementsOf(body)
  if (Array.isArray(body.reviews)) {
    const wanted = new Set(elements.map(([, , id]) => id))
    for (const [id, { book_id }] of [...writing.reviews])
      if (book_id === book && !wanted.has(id)) writing.deleteReview(id)
  }
  for (const verb of ['delete', 'update', 'create'] as const)
    for (const [, own, id = 0, stars] of elements) {
      if (own !== verb) continue
      if (verb === 'delete') {
        writing.deleteReview(id)
        continue
      }
      if (stars > 5) throw new Refused(422, 'invalid_body', 'not compared')
      if (verb === 'update') writing.changeReview(id, { stars })
      else writing.createReview({ book_id: book, stars })
    }
  if (body.tags !== undefined) writing.link(book, body.tags)
}
