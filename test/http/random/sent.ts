import type { Answer, Method } from '../../stage/requests.ts'
import type { Act, Request } from './acts.ts'
import type { IfMatch } from './requests.ts'

/** The record that an act is about. */
export const targetOf = (act: Act): string | undefined => {
  if (!('id' in act)) return undefined
  return act.act.endsWith('Review') ? `/reviews/${act.id}` : `/books/${act.id}`
}

interface Sent {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
}

const matching = (
  table: string,
  { filter: { q }, isDryRun }: Extract<Act, { readonly filter: unknown }>,
): string => `/${table}/?q=${encodeURIComponent(q)}${isDryRun ? '&dry_run=true' : ''}`

/** An act over HTTP. */
export const sentFor = (act: Act): Sent => {
  const body = 'body' in act ? act.body : undefined
  switch (act.act) {
    case 'create':
    case 'createMany':
      return { method: 'POST', path: '/books/', body }
    case 'updateMany':
      return { method: 'PATCH', path: '/books/', body }
    case 'updateMatching':
      return { method: 'PATCH', path: matching('books', act), body }
    case 'deleteMatching':
      return { method: 'DELETE', path: matching('books', act) }
    case 'createReview': {
      const { book_id, stars } = act.body
      if (act.below) return { method: 'POST', path: `/books/${book_id}/reviews/`, body: { stars } }
      return { method: 'POST', path: '/reviews/', body }
    }
    case 'createReviews':
      return { method: 'POST', path: '/reviews/', body }
    case 'updateReviews':
      return { method: 'PATCH', path: '/reviews/', body }
    case 'updateMatchingReviews':
      return { method: 'PATCH', path: matching('reviews', act), body }
    case 'deleteMatchingReviews':
      return { method: 'DELETE', path: matching('reviews', act) }
    case 'restore':
      return { method: 'POST', path: `/books/${act.id}/restore` }
    case 'replace':
    case 'replaceReview':
      return { method: 'PUT', path: targetOf(act) ?? '', body }
    case 'update':
    case 'updateReview':
      return { method: 'PATCH', path: targetOf(act) ?? '', body }
    case 'delete':
    case 'deleteReview':
      return { method: 'DELETE', path: targetOf(act) ?? '' }
  }
}

/** @param tag that of the record now @param old one that it had before */
export const headerFor = (
  kind: IfMatch,
  tag: string,
  old: string,
): { readonly value: string | undefined; readonly condition: Request['condition'] } => {
  const isSame = old === tag
  switch (kind) {
    case 'none':
      return { value: undefined, condition: undefined }
    case 'right':
      return { value: tag, condition: 'met' }
    case 'any':
      return { value: '*', condition: 'met' }
    case 'list':
      return { value: `W/"a,b" , ${old},, ${tag}`, condition: 'met' }
    case 'weak':
      return { value: `W/${tag}`, condition: 'missed' }
    case 'stale':
      return { value: old, condition: isSame ? 'met' : 'missed' }
    case 'staleList':
      return { value: `"other",W/${tag},${old}`, condition: isSame ? 'met' : 'missed' }
    case 'malformed':
      return { value: `${tag} ${old}`, condition: 'malformed' }
  }
}

/** Without what follows the `/`, which is about the response. */
export const stateTagOf = ({ headers }: Answer): string => {
  const tag = headers['etag'] ?? ''
  return tag.includes('/') ? `${tag.split('/', 1)[0]}"` : tag
}
