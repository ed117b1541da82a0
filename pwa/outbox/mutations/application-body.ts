import type { ApplicationFields } from '#shared/domain/application.ts'

/** Exactly the fields of an application, whatever else an object carries. */
export function pickApplicationFields(fields: ApplicationFields): ApplicationFields {
  return {
    firstName: fields.firstName,
    lastName: fields.lastName,
    email: fields.email,
    phone: fields.phone,
    linkedinUrl: fields.linkedinUrl,
    company: fields.company,
    jobTitle: fields.jobTitle,
    experience: fields.experience,
    expertise: fields.expertise,
    whyBeacon: fields.whyBeacon,
    networkingStyle: fields.networkingStyle,
    bio: fields.bio,
    customAnswers: fields.customAnswers,
  }
}
