import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Failure } from '../failure.ts'
import { UsageError } from '../usage-error.ts'
import { readJson } from './read-json.ts'

/**
 * The absolute path of the document that `--schema` names.
 *
 * @throws UsageError where there is no such file; Failure where it is no document that generators read
 */
export const schemaFile = (name: string, folder: string): string => {
  const path = resolve(folder, name)
  if (/^https?:/i.test(name))
    throw new UsageError(`--schema takes a file. Get it first: curl --fail --output openapi.json ${name}`)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`--schema: there is no file ${name} in ${folder}.`)
  const complaint = complaintOf(parsed(path, name))
  if (complaint !== undefined) throw new Failure(`--schema: ${name} ${complaint}`)
  return path
}

const parsed = (path: string, name: string): unknown => {
  try {
    return readJson(path)
  } catch (error) {
    if (/\.ya?ml$/i.test(name))
      throw new Failure(
        `--schema: ${name} is YAML, and JSON is needed. Convert it: npx js-yaml ${name} > openapi.json`,
      )
    throw new Failure(
      `--schema: ${name} is no JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const complaintOf = (document: unknown): string | undefined => {
  const member = (name: string): unknown =>
    typeof document === 'object' && document !== null ? Reflect.get(document, name) : undefined
  const [openapi, swagger, paths] = [member('openapi'), member('swagger'), member('paths')]
  if (swagger !== undefined) return `is Swagger ${swagger}. OpenAPI 3.0 or 3.1 is needed.`
  if (typeof openapi !== 'string') return 'is no OpenAPI document: it has no "openapi": "3.1.0".'
  if (!/^3\.[01](\.|$)/.test(openapi)) return `is OpenAPI ${openapi}. 3.0 or 3.1 is needed.`
  const isEmpty = typeof paths !== 'object' || paths === null || Object.keys(paths).length === 0
  return isEmpty ? 'has no paths: there is nothing to call.' : undefined
}
