import type { Act, BookValues, Done, Matching, Outcome, Request } from './acts.ts'
import { BULK_MAX } from './stage.ts'
import { repeatedOf, togetherMistakes, writeTogether } from './together.ts'
import { type Circumstances, Refused, type World, Writing } from './world.ts'

const conditional = new Set([
  'replace',
  'update',
  'delete',
  'restore',
  'replaceReview',
  'updateReview',
  'deleteReview',
])

const inKeyOrder = (ids: readonly number[]): readonly number[] =>
  ids.toSorted((a, b) => (JSON.stringify([a]) < JSON.stringify([b]) ? -1 : 1))

const mistakesOf = ({ title, colour }: BookValues, path: string, isWhole: boolean): readonly string[] => [
  ...(title === undefined && isWhole ? [`${path}/title required`] : []),
  ...(title !== undefined && typeof title !== 'string' ? [`${path}/title wrong_type`] : []),
  ...(colour === undefined ? [] : [`${path}/colour unknown_key`]),
]

const refuseIf = (issues: readonly string[]): void => {
  if (issues.length > 0) throw new Refused(422, 'invalid_body', issues)
}

/** What a request does, in plain code. @throws Refused */
export const served = (
  world: World,
  { act, isAdmin, condition }: Request,
  circumstances: Circumstances,
): Done => {
  const writing = new Writing(world, circumstances)
  if (condition !== undefined && !conditional.has(act.act)) throw new Refused(400, 'unsupported_header')
  if (condition === 'malformed') throw new Refused(400, 'malformed_header')
  // Callers who are not told of deleted books see their values as taken.
  const outcome = outcomeOf(writing, act, { isAdmin, isMissed: condition === 'missed' }, circumstances)
  const { books, reviews, links, entries } = writing
  return { outcome, entries, world: { books, reviews, links } }
}

interface Manner {
  readonly isAdmin: boolean
  readonly isMissed: boolean
}

const outcomeOf = (
  writing: Writing,
  act: Act,
  { isAdmin, isMissed }: Manner,
  { caller }: Circumstances,
): Outcome => {
  const assertMet = (): void => {
    if (isMissed) throw new Refused(412, 'precondition_failed')
  }
  const one = (status: 200 | 201, id: number): Outcome => ({ status, ids: [id], isList: false })
  switch (act.act) {
    case 'create': {
      const { reviews, tags, ...values } = act.body
      refuseIf([...mistakesOf(values, '', true), ...togetherMistakes(writing, undefined, act.body)])
      const id = writing.createBook(values, '', isAdmin)
      writeTogether(writing, id, act.body)
      return one(201, id)
    }
    case 'createMany': {
      assertMany(act.body)
      refuseIf(act.body.flatMap((values, at) => mistakesOf(values, `/${at}`, true)))
      const ids = act.body.map((values, at) => writing.createBook(values, `/${at}`, isAdmin))
      return { status: 201, ids, isList: true }
    }
    case 'replace':
    case 'update': {
      const { reviews, tags, title, code, pages, colour } = act.body
      const given = { title, code, pages, colour }
      const values: BookValues = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      )
      const isReplace = act.act === 'replace'
      const isTogether = reviews !== undefined || tags !== undefined
      const mistakes = mistakesOf(values, '', isReplace)
      // Without related records, the body is checked first.
      if (isReplace) writing.living(act.id)
      if (isReplace) assertMet()
      if (!isTogether) refuseIf(mistakes)
      writing.living(act.id)
      refuseIf([...mistakes, ...togetherMistakes(writing, act.id, act.body)])
      assertMet()
      const all = isReplace ? { code: null, pages: 100, ...values } : values
      if (Object.keys(all).length > 0) writing.changeBook(act.id, all, '', isAdmin)
      else if (isTogether) writing.touchBook(act.id)
      writeTogether(writing, act.id, act.body)
      return one(200, act.id)
    }
    case 'updateMany': {
      assertMany(act.body)
      refuseIf(repeatedOf(act.body.map(({ id }, at) => [`/${at}`, id])))
      const missing = act.body.flatMap(({ id = 0 }, at) =>
        writing.books.get(id)?.isDeleted === false ? [] : [`/${at} not_found`],
      )
      if (missing.length > 0) throw new Refused(404, 'not_found', missing)
      refuseIf(act.body.flatMap((values, at) => mistakesOf(values, `/${at}`, false)))
      const ids = act.body.map(({ id = 0 }) => id)
      for (const id of inKeyOrder(ids)) {
        const at = ids.indexOf(id)
        const { id: _, ...values } = act.body[at] ?? {}
        writing.changeBook(id, values, `/${at}`, isAdmin)
      }
      return { status: 200, ids, isList: true }
    }
    case 'updateMatching': {
      refuseIf(mistakesOf(act.body, '', false))
      return each(writing, 'books', act, (id) => writing.changeBook(id, act.body, '', isAdmin))
    }
    case 'deleteMatching':
      return each(writing, 'books', act, (id) => writing.deleteBook(id))
    case 'delete': {
      writing.living(act.id)
      assertMet()
      writing.deleteBook(act.id)
      return { status: 204 }
    }
    case 'restore': {
      if (!isAdmin)
        throw caller === null ? new Refused(401, 'unauthenticated') : new Refused(403, 'forbidden')
      if (writing.books.get(act.id)?.isDeleted !== true) throw new Refused(404, 'not_found')
      assertMet()
      writing.restoreBook(act.id)
      return one(200, act.id)
    }
    default:
      return reviewOutcome(writing, act, assertMet)
  }
}

type ReviewAct = Extract<Act, { readonly act: `${string}Review` | `${string}Reviews` }>

const reviewOutcome = (writing: Writing, act: ReviewAct, assertMet: () => void): Outcome => {
  const assertStored = (id: number): void => {
    if (!writing.reviews.has(id)) throw new Refused(404, 'not_found')
  }
  const assertBook = (id: number, path: string): void => {
    if (writing.books.get(id)?.isDeleted !== false)
      throw new Refused(422, 'invalid_body', [`${path}/book_id missing_reference`])
  }
  const firstNew = (): readonly number[] => [...writing.reviews.keys()]
  switch (act.act) {
    case 'createReview': {
      if (act.below) writing.living(act.body.book_id)
      assertBook(act.body.book_id, '')
      assertStars(act.body, '')
      writing.createReview(act.body)
      return { status: 201, ids: firstNew().slice(-1), isList: false }
    }
    case 'createReviews': {
      assertMany(act.body)
      for (const [at, body] of act.body.entries()) {
        assertBook(body.book_id, `/${at}`)
        assertStars(body, `/${at}`)
        writing.createReview(body)
      }
      return { status: 201, ids: firstNew().slice(-act.body.length), isList: true }
    }
    case 'replaceReview':
    case 'updateReview': {
      assertStored(act.id)
      assertMet()
      if (act.act === 'replaceReview') assertBook(act.body.book_id, '')
      assertStars(act.body, '')
      writing.changeReview(act.id, act.body)
      return { status: 200, ids: [act.id], isList: false }
    }
    case 'updateReviews': {
      assertMany(act.body)
      refuseIf(repeatedOf(act.body.map(({ id }, at) => [`/${at}`, id])))
      const missing = act.body.flatMap(({ id = 0 }, at) =>
        writing.reviews.has(id) ? [] : [`/${at} not_found`],
      )
      if (missing.length > 0) throw new Refused(404, 'not_found', missing)
      const ids = act.body.map(({ id = 0 }) => id)
      for (const id of inKeyOrder(ids)) {
        const at = ids.indexOf(id)
        const { stars = 0 } = act.body[at] ?? {}
        assertStars({ stars }, `/${at}`)
        writing.changeReview(id, { stars })
      }
      return { status: 200, ids, isList: true }
    }
    case 'updateMatchingReviews':
      return each(writing, 'reviews', act, (id) => {
        assertStars(act.body, '')
        writing.changeReview(id, act.body)
      })
    case 'deleteMatchingReviews':
      return each(writing, 'reviews', act, (id) => writing.deleteReview(id))
    case 'deleteReview': {
      assertStored(act.id)
      assertMet()
      writing.deleteReview(act.id)
      return { status: 204 }
    }
  }
}

const assertMany = ({ length }: readonly unknown[]): void => {
  if (length === 0) throw new Refused(400, 'no_records')
  if (length > BULK_MAX) throw new Refused(400, 'too_many_records')
}

/** Only the database knows this rule, and says it when it gets the statement. */
const assertStars = ({ stars }: { readonly stars: number }, path: string): void => {
  if (stars > 5) throw new Refused(422, 'invalid_body', path === '' ? 'not compared' : [`${path} constraint`])
}

const each = (
  writing: Writing,
  table: 'books' | 'reviews',
  { filter, isDryRun }: Matching,
  write: (id: number) => void,
): Outcome => {
  const ids = [...writing[table].keys()].filter(
    (id) => filter.holds(id, writing) && (table === 'reviews' || writing.books.get(id)?.isDeleted === false),
  )
  if (ids.length > BULK_MAX) throw new Refused(400, 'too_many_records')
  if (isDryRun) return { status: 200, count: ids.length, isDryRun }
  let count = 0
  for (const id of inKeyOrder(ids)) {
    if (!filter.holds(id, writing)) continue
    write(id)
    count += 1
  }
  return { status: 200, count, isDryRun }
}
