import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { it } from 'vitest'
import { isInstalled } from '../needed-program.ts'

/**
 * Defines tests that need the OpenAPI generator and Java. Where they are missing the tests cannot run: that is said
 * loudly, and an error in CI.
 */
export const onRealGenerator = (tests: string, define: (jar: string) => void): void => {
  const jar = process.env['OPENAPI_GENERATOR_JAR'] ?? ''
  const missing = isInstalled('java') ? (existsSync(jar) ? undefined : 'OPENAPI_GENERATOR_JAR') : 'java'
  if (missing === undefined) {
    define(resolve(jar))
    return
  }
  const line = `NOT RUN: ${tests}, because ${missing} is missing. apt-get install default-jre-headless; pip install --requirement test/cli/generator-requirements.txt; export OPENAPI_GENERATOR_JAR=…/openapi_generator_cli/openapi-generator.jar`
  if (process.env['CI'] !== undefined) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
  it(`NOT RUN: ${tests}`, ({ skip }) => skip(`${missing} is missing.`))
}
