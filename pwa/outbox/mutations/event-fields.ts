import type { EventDocument } from '#shared/api/replication.ts'
import type { CustomizationFields, EventFields } from '#shared/domain/event.ts'

/** Exactly the fields of the event form, whatever else an object carries. */
export function pickEventFields(fields: EventFields): EventFields {
  return {
    name: fields.name,
    description: fields.description,
    startDate: fields.startDate,
    endDate: fields.endDate,
    startTime: fields.startTime,
    endTime: fields.endTime,
    location: fields.location,
    address: fields.address,
    city: fields.city,
    state: fields.state,
    zipCode: fields.zipCode,
    registrationUrl: fields.registrationUrl,
    beaconIncentives: fields.beaconIncentives,
    beaconInstructions: fields.beaconInstructions,
    promoCode: fields.promoCode,
    applicationsCloseAt: fields.applicationsCloseAt,
    maxBeacons: fields.maxBeacons,
    applicationsClosed: fields.applicationsClosed,
  }
}

/** The form's fields of an event that is there. The contract knows a state as any text; it came from this very form. */
export function eventFieldsOf(event: EventDocument): EventFields {
  return pickEventFields(event as EventDocument & Pick<EventFields, 'state'>)
}

/** Exactly the fields of the Customize screen. */
export function pickCustomizationFields(fields: CustomizationFields): CustomizationFields {
  return {
    customBeaconEmailSubject: fields.customBeaconEmailSubject,
    customBeaconEmailBody: fields.customBeaconEmailBody,
    customQuestions: fields.customQuestions,
    showDefaultQuestions: fields.showDefaultQuestions,
  }
}
