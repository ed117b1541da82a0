// The package has no types. Its file of US codes is read directly: the package's own index also loads Canada's.
declare module 'zipcodes/lib/codes.js' {
  interface ZipCodeRecord {
    readonly latitude: number
    readonly longitude: number
    /** Two letters. */
    readonly state: string
  }
  const tables: { readonly codes: Readonly<Record<string, ZipCodeRecord>> }
  export default tables
}
