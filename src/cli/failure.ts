/** A command that could not do its work. The message says all there is to say. It ends with 1. */
export class Failure extends Error {
  override readonly name: string = 'Failure'
}
