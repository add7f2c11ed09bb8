import type { Call } from './call.ts'
import type { Operation } from './operation.ts'

// What HTTP says about methods (RFC 9110, 9.2 and 9.3). Rules for HEAD start here.

/** A HEAD request is a GET whose response has no body, and need not have its length. */
export const isHead = ({ method }: Pick<Call, 'method'>): boolean => method === 'HEAD'

/** Whether requests with this method change nothing. */
export const isSafe = ({ method }: Pick<Call, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

/** The methods of the requests that an operation serves. */
export const servedMethods = ({ method }: Pick<Operation, 'method'>): readonly string[] =>
  method === 'GET' ? [method, 'HEAD'] : [method]
