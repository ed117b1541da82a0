/** Entries as released apps wrote them to disk, and what each must still send. Only ever grows; nothing in it is corrected. */
export const recordedEntries: readonly {
  readonly release: string
  readonly entry: unknown
  readonly sends: object
  readonly label: string
}[] = [
  {
    "release": "0.1.0",
    "entry": {
      "seq": 1, "key": "3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c01", "userId": 1, "lane": "event:4101", "mutation": "create-event", "argsVersion": 1,
      "args": {
        "id": 4101, "organizerId": 1, "timeZone": "America/Los_Angeles", "createdAt": "2026-11-21T08:00:00.000Z",
        "fields": {
          "name": "Founders Mixer", "description": "An evening for founders.", "startDate": "2026-12-01", "endDate": "2026-12-01",
          "startTime": "18:30", "endTime": "21:00", "location": "Pier 27", "address": "1 The Embarcadero", "city": "San Francisco",
          "state": "California", "zipCode": "94111", "registrationUrl": null, "beaconIncentives": "Free ticket", "beaconInstructions": null,
          "promoCode": null, "applicationsCloseAt": null, "maxBeacons": 10, "applicationsClosed": false
        }
      },
      "createdAt": "2026-11-21T08:00:00.000Z", "state": "queued", "attempts": 0, "nextAt": 0
    },
    "sends": { "route": "createEvent", "body": { "id": 4101, "name": "Founders Mixer", "maxBeacons": 10 } },
    "label": "Create Founders Mixer"
  },
  {
    "release": "0.1.0",
    "entry": {
      "seq": 2, "key": "3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c02", "userId": 1, "lane": "event:4101", "mutation": "update-event", "argsVersion": 1, "basedOn": 1,
      "args": {
        "id": 4101, "expectedEdition": 1, "aFieldOfTheFuture": true,
        "fields": {
          "name": "Founders Mixer II", "description": "An evening for founders.", "startDate": "2026-12-01", "endDate": "2026-12-02",
          "startTime": null, "endTime": null, "location": "Pier 27", "address": "1 The Embarcadero", "city": null,
          "state": null, "zipCode": null, "registrationUrl": "https://example.com/mixer", "beaconIncentives": "Free ticket", "beaconInstructions": "Come early",
          "promoCode": "BEACON", "applicationsCloseAt": null, "maxBeacons": null, "applicationsClosed": true, "aFieldOfTheFuture": "dress code"
        }
      },
      "createdAt": "2026-11-21T08:01:00.000Z", "state": "sending", "attempts": 2, "nextAt": 0, "aFieldOfTheFuture": 1
    },
    "sends": { "route": "updateEvent", "params": { "id": 4101 }, "body": { "name": "Founders Mixer II", "expectedEdition": 1 } },
    "label": "Edit Founders Mixer II"
  },
  {
    "release": "0.1.0",
    "entry": {
      "seq": 3, "key": "3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c03", "userId": 1, "lane": "event:4101", "mutation": "customize-event", "argsVersion": 1, "basedOn": 2,
      "args": {
        "id": 4101, "name": "Founders Mixer II", "expectedEdition": 2,
        "fields": { "customBeaconEmailSubject": "Welcome, [Beacon Name]", "customBeaconEmailBody": null, "customQuestions": ["Which languages do you speak?*"], "showDefaultQuestions": false }
      },
      "createdAt": "2026-11-21T08:02:00.000Z", "state": "queued", "attempts": 0, "nextAt": 0
    },
    "sends": { "route": "customizeEvent", "params": { "eventId": 4101 }, "body": { "showDefaultQuestions": false, "expectedEdition": 2 } },
    "label": "Customize Founders Mixer II"
  },
  {
    "release": "0.1.0",
    "entry": {
      "seq": 4, "key": "3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c04", "userId": 1, "lane": "application:7", "mutation": "decide-application", "argsVersion": 1,
      "args": { "applicationId": 7, "eventId": 1, "name": "Bea Brook", "status": "rejected", "from": "approved", "expectedDecisionNumber": 1 },
      "createdAt": "2026-11-21T08:03:00.000Z", "state": "held", "attempts": 0, "nextAt": 1763712188000
    },
    "sends": { "route": "decideApplication", "params": { "beaconId": 7 }, "body": { "status": "rejected", "expectedDecisionNumber": 1 } },
    "label": "Revoke Approval Bea Brook"
  },
  {
    "release": "0.1.0",
    "entry": {
      "seq": 5, "key": "3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c05", "userId": 1, "lane": "event:2", "mutation": "delete-event", "argsVersion": 1,
      "args": { "id": 2, "name": "Book Night" },
      "createdAt": "2026-11-21T08:04:00.000Z", "state": "queued", "attempts": 1, "nextAt": 1763712188000
    },
    "sends": { "route": "deleteEvent", "params": { "id": 2 } },
    "label": "Delete Book Night"
  },
  {
    "release": "0.1.0",
    "entry": {
      "seq": 6, "key": "3f0c7f3e-9f4e-4b53-9a40-0d3f5f0a1c06", "userId": null, "lane": "apply:1:ben@example.com", "mutation": "apply-as-beacon", "argsVersion": 1,
      "args": {
        "eventId": 1, "eventName": "Founders Mixer", "filledInMs": 61000, "website": "",
        "fields": {
          "firstName": "Ben", "lastName": "Berg", "email": "ben@example.com", "phone": null, "linkedinUrl": null, "company": "Acme", "jobTitle": null,
          "experience": "1-2 times", "expertise": "Introductions", "whyBeacon": "I like people.", "networkingStyle": "Calm", "bio": "Ben knows everyone.",
          "customAnswers": [{ "question": "Which languages do you speak?*", "answer": "English" }]
        }
      },
      "createdAt": "2026-11-21T08:05:00.000Z", "state": "queued", "attempts": 0, "nextAt": 0
    },
    "sends": { "route": "applyAsBeacon", "params": { "eventId": 1 }, "body": { "email": "ben@example.com", "filledInMs": 61000 } },
    "label": "Ben Berg applies for Founders Mixer"
  }
]
