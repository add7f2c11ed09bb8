import { resolve } from 'node:path'
import { needing } from '../needed-program.ts'

/** Defines tests that need the OpenAPI generator and Java. Where they are missing they are skipped; in CI that is an error. */
export const onRealGenerator = (tests: string, define: (jar: string) => void): void =>
  needing('generator', tests, () => define(resolve(process.env['OPENAPI_GENERATOR_JAR'] ?? '')))
