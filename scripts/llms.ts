import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes llms.txt, the index of the documentation for programs, from docs/README.md: node scripts/llms.ts. A test compares them. */
export const llmsText = (readme: string, index: string): string => {
  const [, summary = ''] = /^# .*\n\n([\s\S]*?)\n\n/.exec(readme) ?? []
  const lines = index.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) return ['', line, '']
    const [, title, path = '', purpose] = /^\| \[(.+?)\]\((.+?)\) \| (.+) \|$/.exec(line) ?? []
    return title === undefined ? [] : [`- [${title}](${join('docs', path)}): ${purpose}`]
  })
  return `# modelrest\n\n> ${summary.replaceAll('\n', ' ')}\n${lines.join('\n')}\n`
}

if (import.meta.main)
  writeFileSync(
    'llms.txt',
    llmsText(readFileSync('README.md', 'utf8'), readFileSync('docs/README.md', 'utf8')),
  )
