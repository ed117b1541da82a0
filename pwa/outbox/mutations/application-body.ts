import { applicationRecord, type ApplicationFields } from '#shared/applications/application-record.ts'
import { pick } from '#shared/record/record.ts'

/** Exactly the fields of an application, whatever else an object carries. */
export const pickApplicationFields = (fields: ApplicationFields): ApplicationFields => pick(applicationRecord, fields)
