import { isIPv6 } from 'node:net'

/**
 * What counts as one client: an IPv4 address, or the 64 bits in front of an IPv6 address. Behind those, a single
 * client has as many addresses as it likes.
 */
export const addressBlock = (address: string): string => {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const groups = groupsOf(plain)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  return isMapped ? dotted(groups.slice(6)) : `${groups.slice(0, 4).map(hex).join(':')}::/64`
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
