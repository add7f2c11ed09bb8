import type { Field, Model } from '../../model/model.ts'

/** What a password's column may be called, the likeliest first. */
export const passwordNames: readonly string[] = [
  ...['password', 'password_hash', 'passwordHash'],
  ...['hashed_password', 'hashedPassword'],
]

/** The column that a user's password is kept in, as a hash. */
export const passwordColumnOf = ({ fields }: Model): Field | undefined => {
  for (const name of passwordNames) {
    const field = fields.find((known) => known.name === name)
    if (field !== undefined) return field
  }
  return undefined
}

/** The model with its password hidden from everybody, whatever else is said of it. */
export const withPasswordHidden = (model: Model): Model => {
  const password = passwordColumnOf(model)
  if (password === undefined) return model
  return Object.freeze({
    ...model,
    fields: Object.freeze(
      model.fields.map((field) =>
        field === password ? Object.freeze({ ...field, access: 'hidden' as const }) : field,
      ),
    ),
  })
}
