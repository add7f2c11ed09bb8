/** Drivers and drizzle wrap each other's errors. */
const MAX_CAUSES = 6

/** An error and what caused it, the outermost first. What is no error ends the chain. */
export function* causesOf(error: unknown): Generator<Error, void> {
  let inner = error
  for (let depth = 0; depth < MAX_CAUSES && inner instanceof Error; depth += 1) {
    yield inner
    inner = inner.cause
  }
}
