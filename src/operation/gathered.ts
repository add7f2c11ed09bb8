import { Buffer } from 'node:buffer'

/** Bytes that arrive in pieces, gathered as they come: a piece costs what its bytes take, however small it is. */
export class Gathered {
  #bytes: Uint8Array = noBytes
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The piece is kept where it is as long as it is the only one. */
  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength
    if (this.#size === 0) this.#bytes = piece
    else {
      if (size > this.#bytes.byteLength || !this.#isOwn) this.#grow(size)
      this.#bytes.set(piece, this.#size)
    }
    this.#size = size
  }

  whole(): Uint8Array {
    return this.#size === this.#bytes.byteLength ? this.#bytes : this.#bytes.subarray(0, this.#size)
  }

  #isOwn = false

  #grow(size: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.max(2 * size, LEAST))
    bytes.set(this.whole())
    this.#bytes = bytes
    this.#isOwn = true
  }
}

const LEAST = 1024
const noBytes = new Uint8Array()
