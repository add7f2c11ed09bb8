/**
 * The bytes of a body, as every host can hand them out without a copy.
 *
 * Its `return` lets go of the body without ending it, so that the host can answer and go on with the connection.
 */
export type ByteSource = AsyncIterable<Uint8Array>
