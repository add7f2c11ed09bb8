import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { proseOf } from './words.ts'

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

const anchorsOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

const linksOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^\w+:/.test(target))

/** The links of a page to a file or a heading that does not exist. */
export const brokenLinks = (
  path: string,
  read = (file: string) => readFileSync(file, 'utf8'),
): readonly string[] =>
  linksOf(read(path)).filter((target) => {
    const [file = '', anchor] = target.split('#')
    const to = file === '' ? path : join(dirname(path), file)
    return !existsSync(to) || (anchor !== undefined && !anchorsOf(read(to)).includes(anchor))
  })
