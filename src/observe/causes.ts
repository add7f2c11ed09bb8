/** Others wrap errors in errors too: this is more than any of them does. */
const MAX_CAUSES = 20

/** An error and what caused it, the outermost first, each of them once. What is no error ends the chain. */
export function* causesOf(error: unknown): Generator<Error, void> {
  const seen = new Set<Error>()
  let inner = error
  while (inner instanceof Error && !seen.has(inner) && seen.size < MAX_CAUSES) {
    seen.add(inner)
    yield inner
    inner = inner.cause
  }
}
