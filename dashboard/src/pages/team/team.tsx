import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDoorExit, IconPencil, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMay, useMe } from '../../api/me.ts';
import { teamQuery } from '../../api/team.ts';
import { Page } from '../../components/page.tsx';
import { ROLE_WORDS } from '../../text/roles.ts';
import { Section } from '../developers/section.tsx';
import { Alerts } from './alerts.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LeaveTeam } from './member-dialogs.tsx';
import { Members } from './members.tsx';
import { RenameTeam } from './rename-team.tsx';
import { RequireFactors } from './require-factors.tsx';
import { ServiceUsers } from './service-users.tsx';

export function TeamPage() {
  const { data: team } = useQuery(teamQuery);
  const me = useMe();
  const may = useMay();
  const [renaming, rename] = useDisclosure();
  const [leaving, leave] = useDisclosure();
  return (
    <Page
      title={team?.name ?? 'Team'}
      description={`The team owns the wallets. ${me ? `Your role: ${ROLE_WORDS[me.role].label.toLowerCase()}.` : ''}`}
      actions={
        <>
          {team && may('changeTeam') && (
            <Button variant="default" leftSection={<IconPencil size={16} />} onClick={rename.open}>
              Rename team
            </Button>
          )}
          {me && (
            <Button variant="default" leftSection={<IconDoorExit size={16} />} onClick={leave.open}>
              Leave team
            </Button>
          )}
        </>
      }
    >
      {me && <MembersSection />}
      {may('listInvitations') && <Invitations />}
      {may('listServiceUsers') && <ServiceUsers />}
      {team && me && <RequireFactors team={team} isOwner={me.role === 'owner'} />}
      {may('getAlerts') && <Alerts />}
      {renaming && team && <RenameTeam name={team.name} onClose={rename.close} />}
      {leaving && me && <LeaveTeam me={me} onClose={leave.close} />}
    </Page>
  );
}

function MembersSection() {
  const may = useMay();
  const [inviting, invite] = useDisclosure();
  return (
    <Section
      title="Members"
      description="A role says what a member may do. The service checks it at each request."
      actions={
        may('createInvitation') && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={invite.open}>
            Invite
          </Button>
        )
      }
    >
      <Members />
      {inviting && <InviteDialog onClose={invite.close} />}
    </Section>
  );
}
