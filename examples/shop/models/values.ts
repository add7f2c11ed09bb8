export const orderStatus = ['pending', 'paid', 'shipped', 'delivered', 'cancelled'] as const

/** A postal address, stored as JSON. */
export interface Address {
  readonly street: string
  readonly postcode: string
  readonly city: string
  readonly country: string
}
