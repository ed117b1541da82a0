import { writeFileSync } from 'node:fs'
import { mergedZipCentres, writeZipTable } from './zip-table-writer.ts'

/** `npm run zip-table`, after one of the two packages has changed: writes the file that the server and every phone read. */
writeFileSync(new URL('../../shared/places/zip-codes.bin', import.meta.url), writeZipTable(mergedZipCentres()))
