import type { OrganizerEvent } from './event-calls.ts'
import { customizationRecord, eventRecord, type CustomizationFields, type EventFields } from './event-record.ts'
import { pick } from '../record/record.ts'

const uncustomized: CustomizationFields = {
  customBeaconEmailSubject: null,
  customBeaconEmailBody: null,
  customQuestions: [],
  showDefaultQuestions: true,
}

export interface NewEvent {
  readonly organizerId: number
  readonly fields: EventFields
  /** Missing parts are as in an event without customization. */
  readonly customization?:
    | { readonly [K in keyof CustomizationFields]?: CustomizationFields[K] | undefined }
    | undefined
  /** A phone guesses the time zone and knows no coordinates, which are null there. */
  readonly timeZone: string
  readonly latitude: number | null
  readonly longitude: number | null
  /** This is an ISO instant. */
  readonly createdAt: string
  readonly state: string
}

export function created({
  fields,
  customization = {},
  createdAt,
  state,
  ...rest
}: NewEvent): Omit<OrganizerEvent, 'id'> {
  const given = Object.entries(customization).filter(([, value]) => value !== undefined)
  return {
    ...rest,
    ...pick(eventRecord, fields),
    ...pick(customizationRecord, { ...uncustomized, ...Object.fromEntries(given) }),
    basis: state,
    edition: 1,
    createdAt,
    updatedAt: createdAt,
  }
}
