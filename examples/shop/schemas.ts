import { z } from 'zod'

const text = (most: number) => z.string().min(1).max(most)

const address = z.strictObject({
  street: text(100),
  postcode: text(20),
  city: text(60),
  country: text(60),
})

/** Validates customers. E-mail addresses are stored in lower case, so a customer cannot exist twice. */
export const customer = z.strictObject({
  name: text(100),
  email: z.email().max(200).toLowerCase(),
  phone: text(30).nullable().optional(),
  address: address.nullable().optional(),
})
