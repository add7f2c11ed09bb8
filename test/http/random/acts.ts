import type { Review, World, Writing } from './world.ts'

/** Values of a book. Those that a client may send by mistake are among them. */
export interface BookValues {
  readonly id?: number
  readonly title?: string
  readonly code?: string | null
  readonly pages?: number
  readonly colour?: number
}

export interface ReviewValues {
  readonly id?: number
  readonly stars: number
}

/** A body with related records. */
export interface Together {
  readonly reviews?:
    | readonly ReviewValues[]
    | {
        readonly create?: readonly ReviewValues[]
        readonly update?: readonly ReviewValues[]
        readonly delete?: readonly number[]
      }
  readonly tags?: readonly number[]
}

/** What a filter says, with its meaning. */
export interface Filter {
  readonly q: string
  readonly holds: (id: number, world: World) => boolean
}

export interface Matching {
  readonly filter: Filter
  readonly isDryRun: boolean
}

export type Act =
  | { readonly act: 'create'; readonly body: BookValues & Together }
  | { readonly act: 'createMany'; readonly body: readonly BookValues[] }
  | { readonly act: 'replace' | 'update'; readonly id: number; readonly body: BookValues & Together }
  | { readonly act: 'updateMany'; readonly body: readonly BookValues[] }
  | ({ readonly act: 'updateMatching'; readonly body: BookValues } & Matching)
  | ({ readonly act: 'deleteMatching' } & Matching)
  | { readonly act: 'delete' | 'restore'; readonly id: number }
  | { readonly act: 'createReview'; readonly below: boolean; readonly body: Review }
  | { readonly act: 'createReviews'; readonly body: readonly Review[] }
  | { readonly act: 'replaceReview'; readonly id: number; readonly body: Review }
  | { readonly act: 'updateReview'; readonly id: number; readonly body: ReviewValues }
  | { readonly act: 'updateReviews'; readonly body: readonly ReviewValues[] }
  | ({ readonly act: 'updateMatchingReviews'; readonly body: ReviewValues } & Matching)
  | ({ readonly act: 'deleteMatchingReviews' } & Matching)
  | { readonly act: 'deleteReview'; readonly id: number }

/** What a request has beside its act. */
export interface Request {
  readonly act: Act
  readonly isAdmin: boolean
  /** Whether `If-Match` is well-formed, and the record has such a tag. `undefined`: there is none. */
  readonly condition: 'met' | 'missed' | 'malformed' | undefined
}

/** What a client is told. */
export type Outcome =
  | { readonly status: 200 | 201; readonly ids: readonly number[]; readonly isList: boolean }
  | { readonly status: 200; readonly count: number; readonly isDryRun: boolean }
  | { readonly status: 204 }

export interface Done {
  readonly outcome: Outcome
  readonly world: World
  readonly entries: Writing['entries']
}
