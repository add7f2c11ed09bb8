import type { Field, Model } from '../../model/model.ts'
import { singular, wordsOf } from '../../model/naming.ts'

/** Words for what a user may not say of themselves. */
const powers: ReadonlySet<string> = new Set([
  ...['role', 'staff', 'superuser', 'superadmin', 'sysadmin', 'admin', 'administrator', 'root', 'moderator'],
  ...['permission', 'privilege', 'group', 'scope', 'grant', 'right', 'capability', 'acl', 'tenant'],
  ...[
    'organisation',
    'organization',
    'org',
    'company',
    'team',
    'workspace',
    'plan',
    'tier',
    'level',
    'status',
  ],
  ...['active', 'enabled', 'disabled', 'verified', 'confirmed', 'approved', 'validated', 'trusted'],
  ...[
    'banned',
    'blocked',
    'suspended',
    'locked',
    'deleted',
    'balance',
    'credit',
    'quota',
    'limit',
    'discount',
  ],
  ...['point', 'premium', 'paid', 'subscription', 'licence', 'license', 'feature', 'entitlement', 'vip'],
  ...[
    'owner',
    'manager',
    'supervisor',
    'employee',
    'customer',
    'account',
    'department',
    'type',
    'kind',
    'access',
  ],
])

/** Whether a column may decide what its user reaches: by its name, or because it points to another record. */
export const mayGivePower = (model: Model, { name }: Field): boolean =>
  grantsPower(name) || model.relations.some(({ kind, fields }) => kind === 'to-one' && fields.includes(name))

/** Whether a column's name says that its value gives its user power: `role`, `isStaff`, `permissions`, `super_user`. */
export const grantsPower = (name: string): boolean => {
  const words = wordsOf(name)
  const pairs = words.map((word, at) => word + (words[at + 1] ?? ''))
  return [...words, ...pairs].some((word) => powers.has(word) || powers.has(singular(word)))
}
