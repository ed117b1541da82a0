import { followPageStorage } from '../browser/page-storage.ts'

// This has to run before anything opens a database.
followPageStorage()
