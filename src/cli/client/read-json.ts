import { readFileSync } from 'node:fs'

/** @throws SyntaxError for what is no JSON */
export const readJson = (path: string): unknown =>
  // Editors of Windows put a mark of the byte order first.
  JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
