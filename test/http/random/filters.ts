import fc from 'fast-check'
import type { Filter } from './acts.ts'
import type { World } from './world.ts'

const pages = fc.integer({ min: 1, max: 9 })
const stars = fc.integer({ min: 1, max: 6 })
const pagesOf = (world: World, id = 0): number => world.books.get(id)?.pages ?? 0
export const bookFilter: fc.Arbitrary<Filter> = fc.oneof(
  pages.map((least) => ({
    q: `pages>=${least}`,
    holds: (id: number, world: World) => pagesOf(world, id) >= least,
  })),
  pages.map((most) => ({
    q: `pages<=${most}&code!=null`,
    holds: (id: number, world: World) => pagesOf(world, id) <= most && world.books.get(id)?.code !== null,
  })),
  stars.map((least) => ({
    q: `reviews.stars>=${least}`,
    holds: (id: number, world: World) =>
      [...world.reviews.values()].some((review) => review.book_id === id && review.stars >= least),
  })),
  fc.constant({
    q: 'reviews=null',
    holds: (id: number, world: World) => ![...world.reviews.values()].some(({ book_id }) => book_id === id),
  }),
)
export const reviewFilter: fc.Arbitrary<Filter> = fc.oneof(
  stars.map((least) => ({
    q: `stars>=${least}`,
    holds: (id: number, world: World) => (world.reviews.get(id)?.stars ?? 0) >= least,
  })),
  pages.map((least) => ({
    q: `book.pages>=${least}`,
    holds: (id: number, world: World) => {
      const book = world.reviews.get(id)?.book_id
      return world.books.get(book ?? 0)?.isDeleted === false && pagesOf(world, book) >= least
    },
  })),
)
