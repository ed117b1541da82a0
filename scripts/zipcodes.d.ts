// The package has no types, and its index would also load Canada's codes.
declare module 'zipcodes/lib/codes.js' {
  interface ZipCodeRecord {
    readonly latitude: number
    readonly longitude: number
    /** A state has two letters. */
    readonly state: string
  }
  const tables: { readonly codes: Readonly<Record<string, ZipCodeRecord>> }
  export default tables
}
