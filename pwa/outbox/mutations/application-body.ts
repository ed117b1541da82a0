import { applicationRecord, type ApplicationFields } from '#shared/domain/application-record.ts'
import { pick } from '#shared/domain/record.ts'

/** Exactly the fields of an application, whatever else an object carries. */
export const pickApplicationFields = (fields: ApplicationFields): ApplicationFields => pick(applicationRecord, fields)
