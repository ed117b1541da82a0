import { sessionOver, editing, managing, customizing, paying, reading, newOrganizer } from './named-tests.ts'
import { seen, within, tested, type ProofTable } from './proofs.ts'

/** Section 2: what organizers and admins see. */
export const organizerScreenProofs: Pick<
  ProofTable,
  | 'dashboard'
  | 'createEvent'
  | 'editEvent'
  | 'manageEvent'
  | 'customize'
  | 'checkout'
  | 'subscription'
  | 'profile'
  | 'billingHistory'
  | 'manageSubscription'
  | 'admin'
> = {
  dashboard: {
    'Welcome, {username}': seen('dashboard', 'Welcome, olivia'),
    'Create New Event': seen('dashboard'),
    'Your Events': seen('dashboard'),
    'No Events Yet': seen('dashboard-empty'),
    'Create Your First Event': seen('dashboard-empty'),
    'a subscription status card': editing("{ name: 'Unlimited' }"),
    'Create New Event leads to /events/create': editing("'/events/create'"),
  },
  createEvent: {
    'Subscription Required': seen('create-without-plan'),
    'You need a subscription to create events. Please choose a subscription plan to continue.': tested(
      'pwa/e2e/conformance/facts-on-screens.spec.ts',
      'without a reason of the server the page of a new event says that a subscription is needed',
    ),
    "the server's reason, where there is one, and the plan picker": [
      seen('create-without-plan', "You don't have an active subscription."),
      newOrganizer('Subscription Required'),
    ],
    'after a subscription the form shows': newOrganizer('the form takes the place of the plans'),
    'after creating, /events/{newId}/customize': tested(
      'pwa/e2e/event-builder.spec.ts',
      'an event written without an account is published',
      '\\/customize$/',
    ),
  },
  editEvent: {
    'Edit Event': seen('edit'),
    'Event Not Found': seen('edit-missing'),
    "The event you're trying to edit doesn't exist or you don't have permission to edit it.": seen('edit-missing'),
    'an invalid id shows a message': seen('edit-invalid', 'Invalid Event ID'),
    'the form is filled with the event': editing('toHaveValue(name)'),
    'after saving, /dashboard': editing("waitForURL('**/dashboard')"),
  },
  manageEvent: {
    Edit: seen('manage'),
    Customize: seen('manage'),
    Delete: seen('manage'),
    'Are you sure?': seen('manage-delete'),
    'cannot be undone': within('manage-delete'),
    'permanently deletes the event and all its Beacon applications': within('manage-delete'),
    Location: seen('manage'),
    Address: seen('manage'),
    'Beacon Incentives': seen('manage'),
    'Registration URL': seen('manage'),
    Description: seen('manage'),
    Applicant: seen('manage'),
    'Company / Job Title': seen('manage'),
    Experience: seen('manage'),
    Status: seen('manage'),
    Applied: seen('manage'),
    Actions: seen('manage'),
    Pending: seen('manage'),
    Approved: seen('manage'),
    Rejected: seen('manage'),
    'No Beacon Applications': seen('manage-quiet'),
    View: seen('manage'),
    'No phone provided': managing(),
    'Event Not Found': seen('manage-missing'),
    'event name and date range': managing('{ level: 1, name }'),
    'custom emails configured or default': managing('Custom emails configured|Default emails'),
    'count of custom questions or default only': managing('custom questions?|Default questions only'),
    'a dash if company or job title is empty': managing("toContainText('––')"),
    'badges count Pending, Approved and Rejected': managing("['Rejected', rejected]"),
    'View shows contact, LinkedIn, experience, expertise, why Beacon, networking style and bio':
      managing("'Networking Style'"),
    'not found has a way back to the dashboard': managing('Back to Dashboard'),
    'Cancel keeps the event; the confirmed Delete goes to /dashboard': managing("{ name: 'Delete Event' }"),
  },
  customize: {
    'Email Templates': seen('customize-email'),
    'Application Questions': seen('customize-email'),
    '[Beacon Name]': seen('customize-email'),
    '[Event Name]': seen('customize-email'),
    '[Event Date]': seen('customize-email'),
    '[Event Location]': seen('customize-email'),
    '[Custom Instructions]': seen('customize-email'),
    '[Promo Code]': seen('customize-email'),
    'Error Loading Event': seen('customize-missing'),
    'blank means the default template': tested(
      'shared/domain/email-template.test.ts',
      'uses the default where the template is blank',
      "{ subject: '  ', body: null }",
    ),
    'a toggle to include default questions': customizing('Include default questions'),
    'the 5 default questions are listed': customizing('toHaveCount(5)'),
    'custom questions are added and removed; the Enter key adds': customizing("press('Enter')"),
    'save returns to the manage page after 1.5 s': customizing('runFor(1_499)'),
    'cancel returns immediately': customizing("{ name: 'Cancel' }"),
  },
  checkout: {
    Plan: seen('checkout'),
    Price: seen('checkout'),
    Events: seen('checkout'),
    Duration: seen('checkout'),
    Cancel: seen('checkout'),
    'Payment Successful!': newOrganizer(),
    'Invalid Plan': seen('checkout-invalid'),
    'Back to Pricing': seen('checkout-invalid'),
    'a missing planId leads to /pricing': newOrganizer("goto('/checkout')"),
    'the duration is in days': seen('checkout', '365 days'),
    'Cancel leads to /pricing': newOrganizer("{ name: 'Cancel' }"),
    'after payment, /dashboard after 3 s': reading('runFor(2_999)'),
  },
  subscription: {
    'Please log in to view your subscription.': sessionOver(),
    'Go to Dashboard': seen('subscription'),
    'Create Event': seen('subscription'),
    'No Active Subscription': seen('subscription-none'),
    'Create Event leads to /create-event': reading("'/create-event'"),
    'a plan picker unless the plan is unlimited': [
      tested('pwa/screens/subscription-view.test.ts', 'whether another plan gives more', 'without a limit'),
      newOrganizer('Please choose a plan.'),
    ],
  },
  profile: {
    'Free Plan': seen('profile-free'),
    'Pro Plan': seen('profile-limit'),
    'Premium Plan': seen('profile'),
    'Renewal Date': seen('profile'),
    'Expires On': seen('profile-limit'),
    'Edit Profile': seen('profile'),
    'Change Password': seen('profile'),
    'Download Data': seen('profile'),
    'Delete Account': seen('profile'),
    'username, email and organization': seen('profile', 'Lantern Street Events'),
    'links to billing history and manage subscription': reading("['Billing History', '/billing-history']"),
    'a test-email sender': paying('Send Test Email'),
    'what is coming soon is disabled and says so': reading("'aria-disabled', 'true'"),
    'a login-required message when the session has ended': sessionOver('Please log in to view your profile.'),
  },
  billingHistory: {
    Paid: [seen('billing-history'), paying()],
    Pending: paying(),
    Failed: paying(),
    'plan, date, promo code and amount in whole dollars': [
      paying('March 1, 2026'),
      newOrganizer('Promo code BEACON100'),
    ],
    'the empty state links to /subscription': paying('View Subscription Plans'),
  },
  manageSubscription: {
    'Upgrade Plan': seen('manage-subscription-limit'),
    'Change Plan': seen('manage-subscription'),
    'Cancel Subscription': seen('manage-subscription'),
    'no-subscription card': seen('manage-subscription-none', 'No Active Subscription'),
    'plan name, description, status, start and end date and promo code': [
      seen('manage-subscription', 'Unlimited'),
      seen('manage-subscription', 'Status'),
      seen('manage-subscription', 'Start Date'),
      seen('manage-subscription', 'End Date'),
      seen('manage-subscription', 'WELCOME20'),
    ],
    'events used of limit': seen('manage-subscription-limit', '3 of 3 events used'),
    'a can-create-event indicator': seen('manage-subscription', 'You can create events'),
    'Cancel Subscription is disabled': reading("{ name: 'Cancel Subscription' })).toBeDisabled()"),
  },
  admin: {
    'Total Users': seen('admin'),
    'Active Users': seen('admin'),
    'Total Events': seen('admin'),
    Subscriptions: seen('admin'),
    Revenue: seen('admin'),
    'Promo Uses': seen('admin'),
    'No Subscription': seen('admin'),
    Active: seen('admin'),
    Inactive: seen('admin'),
    'Access Denied': seen('access-denied'),
    'Export Data': seen('admin'),
    'columns username, email, organization, subscription, event count, created, status': reading(
      "'Organization', 'Plan', 'Events', 'Created', 'Status'",
    ),
    'a login prompt when the session has ended': sessionOver('Please log in to access the admin dashboard.'),
    'Export Data is disabled': reading('Export Data'),
  },
}
