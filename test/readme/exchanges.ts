import { fencedBlocks } from './fenced-blocks.ts'

/** A command of a page and the answer that is printed below it. */
export interface Exchange {
  readonly command: string
  readonly answer: string
  readonly line: number
}

/** The commands of a section, each in a block of its own, with the block after it as its answer. */
export const exchanges = (page: string, heading: string): readonly Exchange[] => {
  const blocks = fencedBlocks(page, heading)
  return blocks.flatMap(({ language, text, line }, index) => {
    if (language !== 'sh') return []
    const answer = blocks[index + 1]
    if (answer === undefined || answer.language === 'sh' || text.includes('\n')) {
      throw new Error(`Line ${line} must be one command, with its answer in the next block.`)
    }
    return [{ command: text, answer: answer.text, line }]
  })
}

/** Sends the request of a simple command to another address, without curl. @returns what curl would print */
export const sendAsCurl = async (command: string, origin: string): Promise<string> => {
  const simple =
    /^curl -s '?localhost:3000(?<path>[^ ']*)'?(?<headers>( -H '[^']+')*)( -d '(?<body>[^']+)')?$/
  const { path, headers = '', body } = simple.exec(command)?.groups ?? {}
  if (path === undefined) throw new Error(`Only curl itself can send this: ${command}`)
  const pairs = [...headers.matchAll(/ -H '([^:]+): ([^']+)'/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  const sent = {
    headers: pairs.map((pair): [string, string] => [...pair]),
    ...(body !== undefined && { method: 'POST', body }),
  }
  return (await fetch(origin + path, sent)).text()
}

/** A reply as `curl -i` prints it. */
export interface Printed {
  readonly status: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Reads what `curl -i` prints. */
export const readPrinted = (text: string): Printed => {
  const [head = '', ...body] = text.replaceAll('\r', '').split('\n\n')
  const [status = '', ...headers] = head.split('\n')
  const entries = headers.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status: status.trim(), headers: Object.fromEntries(entries), body: body.join('\n\n').trim() }
}
