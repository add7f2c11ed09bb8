import fc from 'fast-check'
import type { Act, BookValues, ReviewValues } from './acts.ts'
import { bookFilter, reviewFilter } from './filters.ts'
import type { World } from './world.ts'

/** A request that names records by their places. It gets their keys when it is sent. */
export interface Draft {
  /** @param whole the book with this id as a client has read it */
  readonly actIn: (world: World, whole: (id: number) => Readonly<Record<string, unknown>>) => Act
  readonly ifMatch: IfMatch
  readonly isAdmin: boolean
  readonly user: string | undefined
}

export const ifMatches = ['none', 'right', 'stale', 'any', 'weak', 'list', 'staleList', 'malformed'] as const
export type IfMatch = (typeof ifMatches)[number]

const NEVER = 999_999

/** One of the records. 0: none of them. */
const pick = (ids: Iterable<number>, place: number): number => {
  const all = [...ids].sort((a, b) => a - b)
  return place === 0 ? NEVER : (all[(place - 1) % Math.max(1, all.length)] ?? NEVER)
}

/** Seldom a deleted one. */
const pickBook = ({ books }: World, place: number): number => {
  const living = [...books].filter(([, { isDeleted }]) => !isDeleted).map(([id]) => id)
  return pick(place % 8 === 7 ? books.keys() : living, place)
}

const seldom = fc.integer({ min: 0, max: 9 }).map((at) => at === 0)
const optional = { requiredKeys: [] }
const often = <T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 19, arbitrary: usual }, { weight: 1, arbitrary: seldom })
const place = often(fc.integer({ min: 1, max: 60 }), fc.constant(0))

const title = often(fc.constantFrom('Dune', 'Emma', 'Faust'), fc.constant(7 as never as string))
const code = fc.constantFrom(null, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'x', 'y', 'z')
const pages = fc.integer({ min: 1, max: 9 })
const colour = fc.constant(1)
const newBook = often<BookValues>(
  fc.record({ title, code, pages }, { requiredKeys: ['title'] }),
  fc.record({ title, code, colour }, optional),
)
const bookChange = often<BookValues>(
  fc.record({ title, code, pages }, optional),
  fc.record({ title, colour }, optional),
)
const stars = often(fc.integer({ min: 1, max: 5 }), fc.constant(6))
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { maxLength: 3 })
const many = <T>(one: fc.Arbitrary<T>) =>
  often(
    fc.array(one, { minLength: 1, maxLength: 5, size: 'max' }),
    fc.constantFrom(0, 6).chain((length) => fc.array(one, { minLength: length, maxLength: length })),
  )
const tag = often(fc.integer({ min: 1, max: 3 }), fc.constant(4))
const tags = often(fc.uniqueArray(tag, { maxLength: 3 }), few(tag))
const placed = fc.record({ place, stars })
const newReviews = few(fc.record({ stars }))
const reviewSet = few(fc.oneof(fc.record({ stars }), placed))
const reviewChanges = fc.record({ create: newReviews, update: few(placed), delete: few(place) }, optional)

/** The reviews of a book come first, so that bodies seldom name those of another one. */
const reviewOf = (world: World, book: number, at: number): number => {
  const own = [...world.reviews].filter(([, { book_id }]) => book_id === book).map(([id]) => id)
  return pick(at % 10 === 9 ? world.reviews.keys() : own, at)
}

type PlacedReview = { readonly place?: number; readonly stars: number }
const found = (world: World, book: number, { place: at, stars: given }: PlacedReview): ReviewValues =>
  at === undefined ? { stars: given } : { id: reviewOf(world, book, at), stars: given }

const withoutRepeated = <T extends { readonly id?: number }>(all: readonly T[]): readonly T[] =>
  all.filter(({ id }, at) => id === undefined || all.findIndex((other) => other.id === id) === at)

type Acting = Draft['actIn']

const creates = fc.tuple(newBook, fc.record({ reviews: newReviews, tags }, optional)).map(
  ([values, together]): Acting =>
    () => ({ act: 'create', body: { ...values, ...together } }),
)

const replaces = fc
  .tuple(place, newBook, fc.record({ reviews: reviewSet, tags }, optional), fc.boolean())
  .map(
    ([at, values, { reviews, tags: linked }, isWhole]): Acting =>
      (world, whole) => {
        const id = pickBook(world, at)
        const all = reviews?.map((review) => found(world, id, review)) ?? []
        const sets = {
          ...(reviews && { reviews: at % 8 === 0 ? all : withoutRepeated(all) }),
          ...(linked && { tags: linked }),
        }
        return { act: 'replace', id, body: { ...(isWhole && whole(id)), ...values, ...sets } }
      },
  )

const updates = fc.tuple(place, bookChange, fc.record({ reviews: reviewChanges, tags }, optional)).map(
  ([at, values, { reviews, tags: linked }]): Acting =>
    (world) => {
      const id = pickBook(world, at)
      const updated = reviews?.update?.map((review) => found(world, id, review)) ?? []
      const deleted = reviews?.delete?.map((each) => reviewOf(world, id, each)) ?? []
      const isUpdated = (one: number): boolean => updated.some((review) => review.id === one)
      const others = [...new Set(deleted)].filter((one) => !isUpdated(one))
      const changes = reviews && {
        ...(reviews.create && { create: reviews.create }),
        ...(reviews.update && { update: at % 8 === 0 ? updated : withoutRepeated(updated) }),
        ...(reviews.delete && { delete: at % 8 === 0 ? deleted : others }),
      }
      const sets = { ...(changes && { reviews: changes }), ...(linked && { tags: linked }) }
      return { act: 'update', id, body: { ...values, ...sets } }
    },
)

const isDryRun = often(fc.constant(false), fc.constant(true))
const matchingBooks = { filter: bookFilter, isDryRun }
const matchingReviews = { filter: reviewFilter, isDryRun }
const starred = fc.record({ stars })

/** Seldom a record twice. */
const inPlaces = <T>(
  all: readonly (readonly [place: number, T])[],
  isTwice: boolean,
  idAt: (place: number) => number,
): readonly (T & { readonly id: number })[] => {
  const placed = all.map(([at, values]) => ({ id: idAt(at), ...values }))
  return isTwice ? placed : withoutRepeated(placed)
}
const placedBooks = fc.tuple(many(fc.tuple(place, bookChange)), seldom)
const placedReviews = fc.tuple(many(fc.tuple(place, starred)), seldom)

const reviewOn = (world: World, at: number, given: number) => ({ book_id: pickBook(world, at), stars: given })

const acts: fc.Arbitrary<Acting> = fc.oneof(
  creates,
  { weight: 2, arbitrary: replaces },
  { weight: 3, arbitrary: updates },
  many(newBook).map(
    (body): Acting =>
      () => ({ act: 'createMany', body }),
  ),
  placedBooks.map(
    ([all, isTwice]): Acting =>
      (world) => ({
        ...{ act: 'updateMany', body: inPlaces(all, isTwice, (at) => pickBook(world, at)) },
      }),
  ),
  fc.record({ ...matchingBooks, body: bookChange }).map(
    (given): Acting =>
      () => ({ act: 'updateMatching', ...given }),
  ),
  fc.record(matchingBooks).map(
    (given): Acting =>
      () => ({ act: 'deleteMatching', ...given }),
  ),
  place.map(
    (at): Acting =>
      (world) => ({ act: 'delete', id: pickBook(world, at) }),
  ),
  fc.tuple(place, seldom).map(
    ([at, isAny]): Acting =>
      ({ books }) => {
        const deleted = [...books].filter(([, { isDeleted }]) => isAny || isDeleted).map(([id]) => id)
        return { act: 'restore', id: pick(deleted, at) }
      },
  ),
  fc.tuple(place, stars, fc.boolean()).map(
    ([at, given, below]): Acting =>
      (world) => ({
        ...{ act: 'createReview', below, body: reviewOn(world, at, given) },
      }),
  ),
  many(fc.tuple(place, stars)).map(
    (all): Acting =>
      (world) => ({
        ...{ act: 'createReviews', body: all.map(([at, given]) => reviewOn(world, at, given)) },
      }),
  ),
  fc.tuple(place, place, stars).map(
    ([at, book, given]): Acting =>
      (world) => ({
        ...{ act: 'replaceReview', id: pick(world.reviews.keys(), at), body: reviewOn(world, book, given) },
      }),
  ),
  fc.tuple(place, starred).map(
    ([at, body]): Acting =>
      ({ reviews }) => ({
        ...{ act: 'updateReview', id: pick(reviews.keys(), at), body },
      }),
  ),
  placedReviews.map(
    ([all, isTwice]): Acting =>
      ({ reviews }) => ({
        ...{ act: 'updateReviews', body: inPlaces(all, isTwice, (at) => pick(reviews.keys(), at)) },
      }),
  ),
  fc.record({ ...matchingReviews, body: starred }).map(
    (given): Acting =>
      () => ({ act: 'updateMatchingReviews', ...given }),
  ),
  fc.record(matchingReviews).map(
    (given): Acting =>
      () => ({ act: 'deleteMatchingReviews', ...given }),
  ),
  place.map(
    (at): Acting =>
      ({ reviews }) => ({ act: 'deleteReview', id: pick(reviews.keys(), at) }),
  ),
)

export const drafts: fc.Arbitrary<Draft> = fc.record({
  actIn: acts,
  ifMatch: fc.oneof(fc.constant<IfMatch>('none'), fc.constantFrom(...ifMatches)),
  isAdmin: fc.boolean(),
  user: fc.constantFrom(undefined, 'ada', 'bob'),
})

/** What a sequence begins with. */
export const beginnings: readonly Draft[] = [
  (): Act => ({
    act: 'createMany',
    body: ['x', 'y', 'z', null, null].map((own, at) => ({ title: 'Dune', pages: at + 1, code: own })),
  }),
  (world: World): Act => ({
    act: 'createReviews',
    body: [1, 2, 3, 4, 5].map((at) => reviewOn(world, 1 + (at % 3), at)),
  }),
].map((actIn) => ({ actIn, ifMatch: 'none', isAdmin: true, user: 'ada' }))
