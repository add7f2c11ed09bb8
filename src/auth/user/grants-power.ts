import { singular, wordsOf } from '../../model/naming.ts'

/** Words for what a user may not say of themselves. */
const powers: ReadonlySet<string> = new Set([
  ...['role', 'staff', 'superuser', 'superadmin', 'sysadmin', 'admin', 'administrator', 'root', 'moderator'],
  ...['permission', 'privilege', 'group', 'scope', 'grant', 'right', 'capability', 'acl', 'tenant'],
  ...['active', 'enabled', 'verified', 'approved', 'trusted', 'balance', 'credit'],
])

/** Whether a column's name says that its value gives its user power: `role`, `isStaff`, `permissions`, `super_user`. */
export const grantsPower = (name: string): boolean => {
  const words = wordsOf(name)
  const pairs = words.map((word, at) => word + (words[at + 1] ?? ''))
  return [...words, ...pairs].some((word) => powers.has(word) || powers.has(singular(word)))
}
