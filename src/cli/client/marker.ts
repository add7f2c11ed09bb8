import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands in a folder that was generated: how, and which files. Others in it are none of ours. */
export interface Marker {
  readonly language: string
  /** `openapi-generator` or `openapi-typescript`. */
  readonly generator: string
  readonly version: string
  /** Paths in the folder, with `/` between their names. */
  readonly files: readonly string[]
}

/** The file of the marker. */
export const markerFile = '.modelrest-client.json'

/** `undefined`: the folder was not generated. */
export const markerIn = (folder: string): Marker | undefined => {
  try {
    const found: unknown = JSON.parse(readFileSync(join(folder, markerFile), 'utf8'))
    return isMarker(found) ? found : undefined
  } catch {
    return undefined
  }
}

const isMarker = (value: unknown): value is Marker => {
  if (typeof value !== 'object' || value === null) return false
  const files: unknown = Reflect.get(value, 'files')
  return Array.isArray(files) && files.every((file) => typeof file === 'string')
}
