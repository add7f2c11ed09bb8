import { isIPv6 } from 'node:net'

/** Addresses that may be those of one client. */
export interface AddressBlock {
  readonly block: string
  /** How many times as much as a single client all of it together may do. */
  readonly clients: number
}

/** Networks are given out in these sizes: one to a home as a rule, a few of them to others. */
const prefixes = [
  { bits: 64, clients: 1 },
  { bits: 56, clients: 4 },
  { bits: 48, clients: 16 },
] as const

/**
 * What counts as one client, the smallest block first: an IPv4 address, or the 64 bits in front of an IPv6 address, behind
 * which a single client has as many addresses as it likes. The same client may have 256 or 65,536 such blocks, so that the
 * 56 and 48 bits in front count as well.
 */
export const addressBlocks = (address: string): readonly AddressBlock[] => {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return [{ block: address, clients: 1 }]
  const groups = groupsOf(plain)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return [{ block: dotted(groups.slice(6)), clients: 1 }]
  return prefixes.map(({ bits, clients }) => ({ block: networkOf(groups, bits), clients }))
}

/** The largest block that an address lies in: who shares it shares turns where many wait. */
export const largestBlock = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : addressBlocks(address).at(-1)?.block

const networkOf = (groups: readonly number[], bits: number): string => {
  const inFront = groups.slice(0, 4).map((group, at) => {
    const kept = Math.min(16, Math.max(0, bits - 16 * at))
    return group & (0xffff << (16 - kept))
  })
  return `${inFront.map(hex).join(':')}::/${bits}`
}

const hex = (group: number): string => group.toString(16)

/** The eight groups of an IPv6 address. It can be written in many ways; a URL has one of them alone. */
const groupsOf = (address: string): readonly number[] => {
  const [head = [], tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::').map(numbers)
  return tail === undefined
    ? head
    : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

const numbers = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

const dotted = (groups: readonly number[]): string =>
  groups.flatMap((group) => [group >> 8, group & 255]).join('.')
