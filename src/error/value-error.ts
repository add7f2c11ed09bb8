/**
 * Thrown by a hook to refuse a request: the reply is a 400 with the message as its detail (specification, 7).
 *
 * @example
 * ```ts
 * import { ValueError } from 'modelrest'
 *
 * export const assertPolite = (name: string): void => {
 *   if (name.includes('forbidden')) throw new ValueError('The name contains a forbidden word.')
 * }
 * ```
 */
export class ValueError extends Error {
  override readonly name: string = 'ValueError'
}
