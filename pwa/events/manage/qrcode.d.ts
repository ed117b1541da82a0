// The drawing-free heart of the package: a text in, a square of dark and light out. The package ships no types.
declare module 'qrcode/lib/core/qrcode.js' {
  interface Square {
    readonly size: number
    /** 1 where it is dark. */
    get(row: number, column: number): number
  }
  export function create(
    text: string,
    options: { errorCorrectionLevel: 'L' | 'M' | 'Q' | 'H' },
  ): {
    readonly modules: Square
  }
}
