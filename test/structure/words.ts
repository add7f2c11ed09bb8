import { globSync, readFileSync } from 'node:fs'
import { type Literal, textOf } from './sentences.ts'
import { lineAt, nodesOf, parse, readSources, type SourceFile } from './source-files.ts'

/** Words that read like a translation, and what to write. Each has a sentence that it finds and one that it leaves. */
export const words: readonly {
  readonly found: RegExp
  readonly instead: string
  readonly bad: string
  readonly good: string
}[] = [
  {
    found: /(?<!\bthere )\b(is|are) no (?!longer)/i,
    instead: 'is not a',
    bad: 'The option models is no model source.',
    good: 'There is no model with that name.',
  },
  { found: /\balone\b/i, instead: 'only', bad: 'TypeScript types alone', good: 'only the types' },
  {
    found: /\bnobody\b/i,
    instead: 'no client, no caller',
    bad: 'What nobody may read.',
    good: 'No caller reads it.',
  },
  {
    found: /\bwho(m|ever)\b/i,
    instead: 'callers who',
    bad: 'whom the caller may reach',
    good: 'callers who may',
  },
  {
    found: /(^|[.:;] )What (is|was|has|comes|stands|a|the|goes|cannot|no)\b/,
    instead: 'a noun',
    bad: 'What is not served stands in the log.',
    good: 'The log lists what is not served.',
  },
  {
    found: /\bthat which\b/i,
    instead: 'a noun',
    bad: 'that which was sent',
    good: 'the value that was sent',
  },
  {
    found: /\b(the|a|an|every|each|its|in|one|of|their|this|error) repl(y|ies)\b/i,
    instead: 'response',
    bad: 'in replies',
    good: 'in responses',
  },
  {
    found: /\b(is|are|was) told\b/i,
    instead: 'is logged, is notified',
    bad: 'The log is told.',
    good: 'It is logged.',
  },
  {
    found: /\b(is|are|was|goes|being) away\b/i,
    instead: 'is unavailable',
    bad: 'The cache is away.',
    good: 'The cache is unavailable.',
  },
  {
    found: /\bwhole numbers?\b/i,
    instead: 'integer',
    bad: 'a whole number from 1',
    good: 'an integer of at least 1',
  },
  {
    found: /\bof (one's|its|their) own accord\b|\bof one's own\b/i,
    instead: 'your own',
    bad: "rules of one's own",
    good: 'your own rules',
  },
  {
    found: /\bof before\b/i,
    instead: 'the previous',
    bad: 'the record of before',
    good: 'the previous record',
  },
  { found: /\bof yours\b/i, instead: 'your', bad: 'a table of yours', good: 'one of your tables' },
  {
    found: /\b(ask|decide|keep|load|measure|open|read|remove|store|use|write)s (no|nothing)\b/i,
    instead: 'does not … any',
    bad: 'modelrest reads no folder',
    good: 'modelrest does not read any folder',
  },
  {
    found: /\b(behaviour|colour|favour|(normal|recogn|serial)is(e[ds]?|ing|ation)\b(?!\())|\btowards\b/i,
    instead: 'the American spelling',
    bad: 'the normalised form',
    good: 'the normalized form',
  },
  { found: /\bare to be\b|\bis to be\b/i, instead: 'must be', bad: 'It is to be kept.', good: 'Keep it.' },
  {
    found: /\b(contract|specification|design),? (section )?\d/i,
    instead: 'a page of the repository',
    bad: 'A strategy (contract, 4).',
    good: 'See docs/queries.md.',
  },
  {
    found:
      /\btexts\b(?!:)|\b(another|any other|a longer) text\b(?! (column|field|part))|\ba text (that|which|such as|of \d)/i,
    instead: 'string',
    bad: 'Only texts are compared.',
    good: 'Each text field is compared as a string.',
  },
  {
    found: /\bof (this|that) name\b/i,
    instead: 'with this name',
    bad: 'The schema has no field of that name.',
    good: 'The schema has no field with that name.',
  },
  {
    found: /\bintegers? from \d[\d,_]*(?! to\b|[\d,_]| up to\b)/i,
    instead: 'an integer of at least',
    bad: 'The limit must be an integer from 1, in seconds.',
    good: 'The limit must be an integer from 1 to 60.',
  },
  {
    found: /\bfor people\b|\bfor programs\b/i,
    instead: 'human-readable, machine-readable',
    bad: 'An explanation for people.',
    good: 'A human-readable explanation.',
  },
  {
    found: /(?<!\bresponse )\b(is|are) an? [45]\d\d\b/i,
    instead: 'returns 409',
    bad: 'A duplicate is a 409.',
    good: 'A duplicate returns 409: the response is a 409.',
  },
]

interface Text {
  readonly place: string
  readonly text: string
}

const textsOf = (file: SourceFile, folder: string): readonly Text[] => {
  const at = (start: number) => `${folder}/${file.path}:${lineAt(file.text, start)}`
  const comments = parse(file).comments.map(({ value, start }) => ({
    place: at(start),
    text: value.replaceAll(/\n\s*\*? ?/g, ' '),
  }))
  const literals = nodesOf(file).flatMap((node) => {
    const { regex } = node as Literal
    const text = regex === undefined ? textOf(node as Literal) : undefined
    return text?.includes(' ') === true ? [{ place: at(node.start), text }] : []
  })
  return [...comments, ...literals]
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/**/*.md',
  'examples/**/*.md',
  'src/**/*.md',
]

/** A code block is left to its compiler, and to the check of the files that it shows. */
export const proseOf = (page: string): string =>
  page.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''))

const textsOfPage = (path: string): readonly Text[] =>
  proseOf(readFileSync(path, 'utf8'))
    .split('\n')
    .map((text, index) => ({ place: `${path}:${index + 1}`, text }))

/** Every text that people read: pages, and the comments and texts of the sources. */
export const readTexts = (): readonly Text[] => [
  ...globSync(pages).flatMap(textsOfPage),
  ...['src', 'examples'].flatMap((folder) => readSources(folder).flatMap((file) => textsOf(file, folder))),
]

/** The words of the list in a text, as `place: word -> what to write`. */
export const foreignIn = ({ place, text }: Text): readonly string[] =>
  words.flatMap(({ found, instead }) => {
    const [word] = found.exec(text) ?? []
    return word === undefined ? [] : [`${place}: "${word.trim()}" -> ${instead}`]
  })
